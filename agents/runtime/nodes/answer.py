"""The user's answers to the questions of a graph's nodes."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from agents.errors import AnswerError

_KINDS: dict[Any, TypeAdapter[Any]] = {
    "integer": TypeAdapter(int),
    "number": TypeAdapter(float),
    "string": TypeAdapter(str),
    "boolean": TypeAdapter(bool),
    "array": TypeAdapter(list[Any]),
    "object": TypeAdapter(dict[str, Any]),
}
_ANY = TypeAdapter[Any](Any)


def answer_in(response: Any, schema: Any) -> Any:
    """The answer to a question, as the question's JSON schema has it: "3" as 3 where a number is asked for.

    As in ADK, only the types of the answer and of its fields are looked at. Fields that the schema does not have are left
    out, those that it does not require are None where they are missing.

    Args:
        response: The answer; of {"result": …} what is in it is meant, parsed where it is JSON and no text is asked for.
        schema: The schema, None for any answer.

    Raises:
        AnswerError: The answer does not fit.
    """
    asked = cast("dict[str, Any]", schema if isinstance(schema, dict) else {})
    value: Any = response
    if isinstance(response, dict) and list(cast("dict[str, Any]", response)) == ["result"]:
        value = cast("dict[str, Any]", response)["result"]
        if isinstance(value, str) and asked.get("type") != "string":
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
    fields = asked.get("properties")
    try:
        value = _adapter(asked).validate_python(value)
        if asked.get("type") == "object" and isinstance(fields, dict):
            return _fields(value, cast("dict[str, Any]", fields), asked.get("required") or ())
    except ValidationError as error:
        raise AnswerError(f"The answer does not fit what was asked for: {error.errors()[0]['msg']}.") from None
    return value


def _fields(given: dict[str, Any], fields: dict[str, Any], required: Any) -> dict[str, Any]:
    fitted: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in given and name in required:
            raise AnswerError(f"The answer does not fit what was asked for: field {name!r} is missing.")
        value = given.get(name)
        fitted[name] = value if value is None and name not in required else _adapter(field).validate_python(value)
    return fitted


def _adapter(schema: Any) -> TypeAdapter[Any]:
    kind = cast("dict[str, Any]", schema).get("type") if isinstance(schema, dict) else None
    return _KINDS.get(kind, _ANY) if isinstance(kind, str) else _ANY
