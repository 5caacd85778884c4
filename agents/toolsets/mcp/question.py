"""A server's question in the middle of a call (elicitation), as a question to the user and back.

The fields that the server asks for are the payload of a confirmation: the user fills them in and approves, or rejects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from jsonschema import Draft202012Validator, SchemaError

MOST_WORDS = 1_000
"""Characters of a server's own words that are shown."""
MOST_FIELDS = 30
"""Of a question; one with more is not put to the user."""

_BEGINNING = "The MCP server "


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        server: What texts call the server.
        message: What it says.
        schema: JSON schema of the fields that it asks for: an object with plain fields. {} for none.
        url: The address that it wants the user to visit; "" for none.
    """

    server: str
    message: str
    schema: Mapping[str, Any]
    url: str = ""

    def hint(self, complaint: str = "") -> str:
        """What the user is shown.

        Args:
            complaint: What is wrong with the answer that the user gave before.
        """
        again = f" Your answer does not fit: {complaint}." if complaint else ""
        visit = f" It wants you to visit {self.url[:MOST_WORDS]}; that page is not opened from here." if self.url else ""
        described = [told for name, one in self._fields.items() if (told := _described(name, one))]
        fields = f" The fields: {'; '.join(described)}." if described else ""
        return (
            f"{_BEGINNING}{self.server} asks: “{self.message[:MOST_WORDS]}”{again}{visit}{fields} "
            "It is sent what you fill in: write no password and no key."
        )

    @property
    def payload(self) -> dict[str, Any] | None:
        """The fields with what they begin with: the server's own value, else nothing. None without fields."""
        return {name: one.get("default", _EMPTY.get(one.get("type"))) for name, one in self._fields.items()} or None

    @property
    def is_plain(self) -> bool:
        """Whether it can be put to the user: a form with a few plain fields, or an address."""
        plain = all(one.get("type") in _EMPTY or "enum" in one or "oneOf" in one for one in self._fields.values())
        return plain and len(self._fields) <= MOST_FIELDS

    def content(self, payload: Any) -> dict[str, Any]:
        """What is sent of the user's answer: without the fields that were left empty."""
        given = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {}
        return {name: value for name, value in given.items() if name in self._fields and value not in (None, "", [])}

    def complaint(self, content: Mapping[str, Any]) -> str:
        """What is wrong with an answer; "" if it fits."""
        fields = {name: _checked(one) for name, one in self._fields.items()}
        required = cast("list[str]", self.schema.get("required") or [])
        checker = cast("Any", Draft202012Validator({"type": "object", "properties": fields, "required": required}))
        try:
            problem = next(checker.iter_errors(content), None)
        except (SchemaError, TypeError) as error:
            return f"the server's own form is not valid ({str(error)[:200]})"
        return "" if problem is None else f"{'.'.join(map(str, problem.path)) or 'fields'}: {problem.message[:300]}"

    @property
    def _fields(self) -> dict[str, dict[str, Any]]:
        return cast("dict[str, dict[str, Any]]", self.schema.get("properties") or {})


_EMPTY: dict[Any, Any] = {"string": "", "number": None, "integer": None, "boolean": False, "array": []}


def is_of_server(hint: str) -> bool:
    """Whether a confirmation is a server's question, not whether a call may be made."""
    return hint.startswith(_BEGINNING)


def _described(name: str, field: Mapping[str, Any]) -> str:
    checked = _checked(field)
    given = cast("list[Any]", checked.get("enum") or checked.get("items", {}).get("enum") or [])
    options = f"one of {', '.join(map(str, given[:20]))}" if given else ""
    words = [str(word)[:200] for word in (field.get("title"), field.get("description"), options) if word]
    return f"{name[:60]} ({', '.join(words)})" if words else ""


_CHECKED = ("type", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
"""Of a field's schema. A server's pattern could compute for ever, and its reference could be fetched."""


def _checked(field: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {key: field[key] for key in _CHECKED if key in field}
    for key in ("oneOf", "anyOf"):
        if options := cast("list[dict[str, Any]]", field.get(key)):
            plain["enum"] = [one.get("const") for one in options]
    if items := cast("dict[str, Any]", field.get("items")):
        plain["items"] = _checked(items)
    return plain
