"""Whether a JSON value fits a schema, in words for whoever typed it. The part of JSON Schema that tools and outputs use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

_MOST_STEPS = 10_000
"""A schema may refer to itself: what is checked after so many parts of it is passed over."""

_TYPES: Mapping[str, tuple[str, type | tuple[type, ...]]] = {
    "string": ("a text", str),
    "integer": ("a whole number", int),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", bool),
    "array": ("a list", list),
    "object": ("an object", dict),
    "null": ("null", type(None)),
}

_Rules = Mapping[str, Any]


def misfit(value: Any, schema: Any) -> str:
    """The first thing about `value` that does not fit `schema`, as the end of a sentence; "" if it fits.

    Keywords that are not known here are passed over: what takes the value checks it again.
    """
    try:
        return next(_Check(schema).problems(value, schema, ""), "")
    except RecursionError:  # it refers to itself without an end
        return ""


class _Check:
    """One check of a value.

    Args:
        root: The schema whose definitions are referred to.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def problems(self, value: Any, schema: Any, place: str) -> Iterator[str]:
        """What does not fit, in order."""
        self._left -= 1
        if self._left < 0 or not isinstance(schema, dict):
            return
        rules = self._resolved(cast("_Rules", schema))
        for part in _list(rules.get("allOf")):
            yield from self.problems(value, part, place)
        if options := _list(rules.get("anyOf")) or _list(rules.get("oneOf")):
            yield from self._in_none(value, options, place)
        yield from _own_problems(value, rules, place or "it")
        if isinstance(value, dict):
            yield from self._in_object(cast("dict[str, Any]", value), rules, place)
        elif isinstance(value, list):
            for index, item in enumerate(cast("list[Any]", value)):
                yield from self.problems(item, rules.get("items"), f"{place}[{index}]")

    def _in_none(self, value: Any, options: list[Any], place: str) -> Iterator[str]:
        """The first option's problem, if none fits; of several that the value's type fits, that of the first of those."""
        found = [next(self.problems(value, option, place), "") for option in options]
        if "" not in found:
            yield next((problem for problem in found if "has to be" not in problem), found[0])

    def _in_object(self, value: Mapping[str, Any], rules: _Rules, place: str) -> Iterator[str]:
        before = f"{place}." if place else ""
        known: Any = rules.get("properties")
        properties: _Rules = cast("_Rules", known) if isinstance(known, dict) else {}
        for name in _list(rules.get("required")):
            if isinstance(name, str) and name not in value:
                yield f"{before}{name} is missing"
        others = rules.get("additionalProperties")
        for name, item in value.items():
            if name not in properties and others is False and "patternProperties" not in rules:
                yield f"{before}{name} is not known; known are: {', '.join(properties) or 'none'}"
            else:
                yield from self.problems(item, properties.get(name, others), f"{before}{name}")

    def _resolved(self, rules: _Rules) -> _Rules:
        """A schema, or the one in the root's definitions that it refers to."""
        while isinstance(reference := rules.get("$ref"), str) and self._left > 0:
            self._left -= 1
            found: Any = self._root
            for step in reference.removeprefix("#/").split("/"):
                found = cast("dict[str, Any]", found).get(step) if isinstance(found, dict) else None
            rules = cast("_Rules", found) if isinstance(found, dict) else {}
        return rules


def _own_problems(value: Any, rules: _Rules, where: str) -> Iterator[str]:
    if "const" in rules and value != rules["const"]:
        yield f"{where} has to be {rules['const']!r}"
    if (allowed := _list(rules.get("enum"))) and value not in allowed:
        yield f"{where} has to be one of {', '.join(map(repr, allowed))}"
    given = rules.get("type")
    names = [str(name).lower() for name in (_list(given) or [given]) if name is not None]
    if names and not (value is None and rules.get("nullable")) and not any(_is(value, name) for name in names):
        yield f"{where} has to be {' or '.join(_TYPES[name][0] for name in names if name in _TYPES)}"


def _is(value: Any, name: str) -> bool:
    if name not in _TYPES:
        return True
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name][1]) or (name == "integer" and isinstance(value, float) and value.is_integer())


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
