"""Values that fit a JSON schema, made of what a text has: its numbers, names, addresses, or the text itself.

Nothing is understood: a value is chosen by its type and place alone. What the text has is given in its order.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Mapping
from typing import Any, cast

from agents.models.simulated.language.characters import plain, shortened
from agents.models.simulated.language.numbers import HUGE, numbers_in
from agents.models.simulated.pattern_sample import sample_of
from agents.models.simulated.word_overlap import listed_in, words_in

MOST_READ = 5_000
"""Characters of the text that are looked at."""
MOST_VALUES = 2_000
"""Values in one answer: a schema may ask for lists in lists."""

_LONGEST_TEXT, _LONGEST_ARGUMENT = 200, 2_000
_WHOLE = frozenset({"request", "query", "question", "message", "text", "prompt", "input", "task", "topic", "content"})
"""Names of parameters that are given all of the text."""
_DEEP = 5
"""From here on, lists are as short as they may be and of alternatives the simplest is taken: a schema may contain itself."""
_DEEPEST = 40
_SHORT_MARK = "[stand-in]"
_ADDRESS = re.compile(r"https?://[^\s<>\"']{1,300}")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_NAME = re.compile(
    r"[\"“「『]([^\"“”「」『』\n]{1,80})[\"”」』]"  # in quotation marks
    r"|(?<=[^\W_] )([A-Z][\w-]{1,40}(?: [A-Z][\w-]{1,40}){0,3})"  # in capitals, and not because a sentence begins
)
_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "P0D",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
"""A value of each format whose texts have a form of their own; addresses are those that are kept for examples."""


class Placeholders:
    """Fills schemas from one text.

    Args:
        text: The text, such as the user's message.
        mark: Stands at the beginning of each free text, so that nobody takes it for an answer; "" for arguments of tools.
        is_late: Whether to take the last of several values that fit, not the first: so a loop comes to an end.
        asked: What is asked about the text, with a list of what the choices mean.
    """

    def __init__(self, text: str, *, mark: str = "", is_late: bool = False, asked: str = "") -> None:
        head = text[:MOST_READ]
        self._text = shortened(head, _LONGEST_TEXT if mark else _LONGEST_ARGUMENT)
        self._mark = mark
        self._is_late = is_late
        self._asked = asked
        self._words = words_in(head)
        self._numbers = deque(number.value for number in numbers_in(head) if abs(number.value) < HUGE)
        self._names = deque(match[1] or match[2] for match in _NAME.finditer(head))
        self._addresses = deque(match[0] for match in _ADDRESS.finditer(head))
        self._mails = deque(match[0] for match in _MAIL.finditer(plain(head)))
        self._left = MOST_VALUES

    def fill(self, schema: Mapping[str, Any]) -> Any:
        """A value that fits the schema, as far as its form can be met."""
        self._left = MOST_VALUES
        self._defined: Mapping[str, Any] = {**schema.get("$defs", {}), **schema.get("definitions", {})}
        return self._value(schema, "", 0)

    def _value(self, schema: Any, name: str, depth: int) -> Any:
        self._left -= 1
        if depth > _DEEPEST:
            return None
        found = self._resolved(schema)
        name = str(found.get("title") or name)
        if options := [found["const"]] if "const" in found else found.get("enum"):
            return self._one_of(options)
        if options := found.get("anyOf") or found.get("oneOf"):
            return self._value(self._simplest(options) if self._is_deep(depth) else self._first(options), name, depth + 1)
        return self._typed(found, name, depth)

    def _typed(self, schema: dict[str, Any], name: str, depth: int) -> Any:
        kind = _type_of(schema)
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, name, depth)
        if kind in ("integer", "number"):
            return self._number(schema, is_whole=kind == "integer")
        if kind in ("boolean", "null"):
            return None if kind == "null" else self._is_late and bool(self._mark)
        return self._string(schema, name)

    def _is_deep(self, depth: int) -> bool:
        return depth > _DEEP or self._left <= 0

    def _resolved(self, schema: Any) -> dict[str, Any]:
        """A schema with what it refers to, and all of `allOf`, in it."""
        found = dict(cast("Mapping[str, Any]", schema)) if isinstance(schema, Mapping) else {}
        for _ in range(_DEEP):
            parts = list(cast("list[Any]", found.pop("allOf", [])))
            if isinstance(reference := found.pop("$ref", None), str):
                parts.append(self._defined.get(reference.rpartition("/")[2], {}))
            if not parts:
                break
            for part in parts:
                found = {**(cast("Mapping[str, Any]", part) if isinstance(part, Mapping) else {}), **found}
        return found

    def _one_of(self, options: list[Any]) -> Any:
        """The option that shares most words with the text; where none shares any, the first, or later the last.

        Yes, where the question shares words with the text, or later; else no.
        """
        if set(map(str, options)) == {"yes", "no"}:
            return "yes" if self._is_late or self._words & words_in(self._asked) else "no"
        about = [f"{option} {listed_in(self._asked, option)}" if isinstance(option, str) else "" for option in options]
        shared = [len(self._words & words_in(text)) for text in about]
        if max(shared):
            return options[shared.index(max(shared))]
        return options[-1 if self._is_late else 0]

    def _first(self, options: list[Any]) -> Any:
        return next((option for option in options if self._resolved(option).get("type") != "null"), {"type": "null"})

    def _simplest(self, options: list[Any]) -> Any:
        """The option that leads no deeper: a schema may contain itself."""
        order = ("null", "boolean", "integer", "number", "string", "array")
        found = {_type_of(self._resolved(option)): option for option in reversed(options)}
        return next((found[kind] for kind in order if kind in found), options[0])

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        known: Mapping[str, Any] = schema.get("properties") or {}
        wanted = [name for name in schema.get("required") or () if isinstance(name, str)]
        if self._mark and not wanted and not self._is_deep(depth):
            wanted = list(known)
        made = {name: self._value(known.get(name, {}), name, depth + 1) for name in wanted}
        other = schema.get("additionalProperties")
        if self._mark and not known and other is not False and not self._is_deep(depth):
            made["stand_in"] = self._value(other if isinstance(other, Mapping) else {"type": "string"}, "", depth + 1)
        return made

    def _array(self, schema: Mapping[str, Any], name: str, depth: int) -> list[Any]:
        first = [self._value(item, name, depth + 1) for item in schema.get("prefixItems") or ()]
        least, most = _count(schema, "minItems", 0), _count(schema, "maxItems", MOST_VALUES)
        items = self._resolved(schema.get("items") or {})
        wanted = 0 if self._is_deep(depth) or (first and "items" not in schema) else 1
        if not self._mark:  # a function is given all that there is
            wanted = max(wanted, len(self._numbers) if _type_of(items) in ("integer", "number") else 0)
            wanted = max(wanted, len(self._names) if _type_of(items) == "string" else 0)
        count = min(max(wanted, least - len(first)), most - len(first), max(self._left, 0))
        made = [*first, *(self._value(items, name, depth + 1) for _ in range(count))]
        return _all_different(made, items.get("enum") or [], max(count, 1)) if schema.get("uniqueItems") else made

    def _number(self, schema: Mapping[str, Any], *, is_whole: bool) -> float:
        step = schema.get("multipleOf") or (1 if is_whole else None)
        least, most = _bounds(schema, step)
        for number in list(self._numbers):
            if least <= number <= most and not (step and math.remainder(number, step)):
                self._numbers.remove(number)
                return int(number) if is_whole else number
        value = least if math.isfinite(least) else min(0, most)
        if self._is_late and self._mark and math.isfinite(most):
            value = most
        if step:
            value = math.ceil(value / step) * step
            value = value if value <= most else math.floor(most / step) * step
        return int(value) if is_whole else value

    def _string(self, schema: Mapping[str, Any], name: str) -> str:
        least, most = _count(schema, "minLength", 0), _count(schema, "maxLength", 10 * MOST_READ)
        if isinstance(pattern := schema.get("pattern"), str) and (sample := sample_of(pattern)) is not None:
            return sample.ljust(least, sample[-1:] or ".")
        match schema.get("format"):
            case "uri" | "url" | "http-url":
                return self._addresses.popleft() if self._addresses else "https://example.com/"
            case "email":
                return self._mails.popleft() if self._mails else "stand-in@example.com"
            case str(form) if form in _FORMATS:
                return _FORMATS[form]
            case _:
                pass
        if self._mark:
            text = f"{self._mark} {name}: {self._text}" if name else f"{self._mark} {self._text}"
            if len(self._mark) <= most:
                self._mark = _SHORT_MARK  # the whole of it is needed once
        else:
            text = self._names.popleft() if self._names and name.lower() not in _WHOLE else self._text
        return text[:most].ljust(min(least, 10 * MOST_READ), ".")


def _type_of(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in cast("list[Any]", kind) if one != "null"), "null")
    if kind is None:
        kind = "object" if "properties" in schema else "array" if "items" in schema or "prefixItems" in schema else "string"
    return str(kind)


def _count(schema: Mapping[str, Any], key: str, otherwise: int) -> int:
    found = schema.get(key)
    return found if isinstance(found, int) and found >= 0 else otherwise


def _bounds(schema: Mapping[str, Any], step: float | None) -> tuple[float, float]:
    """The least and the greatest number that fits."""
    least, most = -math.inf, math.inf
    by = step or 0.5
    for key, bound in schema.items():
        if isinstance(bound, int | float):
            match key:
                case "minimum":
                    least = max(least, bound)
                case "exclusiveMinimum":
                    least = max(least, bound + by)
                case "maximum":
                    most = min(most, bound)
                case "exclusiveMaximum":
                    most = min(most, bound - by)
                case _:
                    pass
    return least, most


def _all_different(values: list[Any], options: list[Any], count: int) -> list[Any]:
    """Values of a list in which none may stand twice: other options, numbers, and ends of texts in place of repetitions."""
    made: list[Any] = []
    for at, value in enumerate(values):
        others = [value, *options, f"{value} {at + 1}" if isinstance(value, str) else value, _plus(value, at)]
        made.append(next((other for other in others if other not in made), value))
    return made[:count]


def _plus(value: Any, by: int) -> Any:
    return value + by if isinstance(value, int | float) else value
