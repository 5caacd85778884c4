"""Python literals for any text or plain value, and calls laid out over lines as a person would write them.

A text from a user, a model or a file becomes a literal that evaluates to the same text and holds printable characters alone.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, cast

WIDTH = 100
"""Characters up to which a call or a collection stays on one line, without its indentation."""

_INDENT = "    "
_QUOTES = '"""'
_MOST_DEPTH = 60
_SHORTHANDS = {"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"}


class NoLiteralError(Exception):
    """A value that no literal can express."""


def quoted(text: str) -> str:
    """A text as a literal on one line."""
    inner = "".join(map(_escaped, text)).replace('"', '\\"')
    return f'"{inner}"'


def block(text: str) -> str:
    """A text of several lines as a literal in triple quotes that begins in the first column; any other on one line."""
    if "\n" not in text:
        return quoted(text)
    lines = ["".join(map(_escaped, line)) for line in text.split("\n")]
    kept = [f"{line[:-1]}\\x20" if line.endswith(" ") else line for line in lines]
    closed = [line.replace('"', '\\"') if '""' in line or line.endswith('"') else line for line in kept]
    return f"{_QUOTES}\\\n" + "\n".join(closed) + _QUOTES


def remark(text: str) -> str:
    """A text as one line of printable characters, for a comment."""
    return "".join(map(_escaped, " ".join(text.split())))


def call(name: str, arguments: Iterable[str]) -> str:
    """A call, over lines if it is long."""
    return _enclosed(f"{name}(", list(arguments), ")")


def listed(items: Iterable[str]) -> str:
    """A list, over lines if it is long."""
    return _enclosed("[", list(items), "]")


def mapping(items: Iterable[tuple[str, str]]) -> str:
    """A dictionary, over lines if it is long."""
    return _enclosed("{", [f"{key}: {value}" for key, value in items], "}")


def tupled(items: Iterable[str]) -> str:
    """A tuple, over lines if it is long."""
    found = list(items)
    return f"({found[0]},)" if len(found) == 1 else _enclosed("(", found, ")")


def literal(value: Any, depth: int = 0) -> str:
    """A plain value as a literal: what JSON can hold, bytes, tuples and sets.

    Raises:
        NoLiteralError: It is, or holds, something else; or it is nested too deeply.
    """
    if depth > _MOST_DEPTH:
        raise NoLiteralError("it is nested too deeply")
    kind = cast("type[Any]", type(value))
    if kind is str:
        return quoted(value)
    if value is None or kind in (bool, int, bytes):
        return _number_or_bytes(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else f'float("{value!r}")'
    return _collection(value, kind, depth + 1)


def _number_or_bytes(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no numbers of thousands of digits
        return hex(value)


def _collection(value: Any, kind: type, depth: int) -> str:
    if kind is dict:
        pairs = cast("dict[Any, Any]", value).items()
        return mapping([(literal(key, depth), literal(item, depth)) for key, item in pairs])
    if kind not in (list, tuple, set, frozenset):
        raise NoLiteralError(f"it is of type {kind.__qualname__}")
    items = [literal(item, depth) for item in cast("list[Any]", value)]
    match kind.__name__:
        case "list":
            return listed(items)
        case "tuple":
            return tupled(items)
        case "set":
            return _enclosed("{", sorted(items), "}") if items else "set()"
        case _:
            return call("frozenset", [_enclosed("{", sorted(items), "}")] if items else [])


def _enclosed(opening: str, items: list[str], closing: str) -> str:
    line = f"{opening}{', '.join(items)}{closing}"
    if len(items) == 0 or (len(line) <= WIDTH and "\n" not in line):
        return line
    return "\n".join([opening, *(f"{indented(item)}," for item in items), closing])


def indented(text: str) -> str:
    """An expression one level deeper. It holds no literal of several lines."""
    return "\n".join(f"{_INDENT}{line}" if line else line for line in text.split("\n"))


def _escaped(character: str) -> str:
    if character in _SHORTHANDS:
        return _SHORTHANDS[character]
    return character if character.isprintable() else repr(character)[1:-1]


def constructor_arguments(value: Any) -> dict[str, Any] | None:
    """The arguments that make an equal object: of a dataclass, a named tuple, or an object that keeps just its arguments.

    None for any other object.
    """
    kind = cast("type[Any]", type(value))
    if is_dataclass(kind):
        return {one.name: getattr(value, one.name) for one in fields(kind) if one.init}
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return dict(zip(getattr(kind, "_fields"), cast("tuple[Any, ...]", value), strict=True))
    attributes = cast("dict[str, Any] | None", getattr(cast("Any", value), "__dict__", None))
    if kind.__init__ is object.__init__ or attributes is None:
        return None
    wanted = list(inspect.signature(kind.__init__).parameters)[1:]
    return dict(attributes) if wanted == list(attributes) else None
