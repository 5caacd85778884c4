"""Writes the kinds of trace records as types for the scripts of the session view. `uv run poe records` runs it.

They are the classes of `agents.records`, with their docstrings. What is not in every record may be absent.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

from agents.records import ALWAYS, RECORDS, Record, fields_of
from tests.documents.blocks import ROOT

FILE = ROOT / "ui" / "session_view" / "js" / "log" / "records.d.ts"
HEAD = """\
/** The kinds of trace records, as `agents/records.py` has them. Written by `uv run poe records`. */

import type { Json } from "../../../browser/js/types.d.ts";
"""
_NAMES = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "Json"}
_SECTION = re.compile(r"^Attributes:\n((?:    .*\n?)+)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def module() -> str:
    """The whole file."""
    kinds = [Record, *RECORDS.values()]
    nested = {found.__name__: found for kind in kinds for hint in _hints(kind).values() for found in _nested_in(hint)}
    return "\n".join([HEAD, *map(_interface, nested.values()), *map(_record, kinds), _by_kind()])


def _by_kind() -> str:
    lines = "".join(f"  {kind}: {read.__name__};\n" for kind, read in RECORDS.items())
    return f"/** The records by their kind. */\nexport interface Records {{\n{lines}}}\n"


def _record(kind: type[Record]) -> str:
    hints, always = _hints(kind), {*ALWAYS, *kind.always}
    inherited = set() if kind is Record else fields_of(Record) - set(kind.always)
    own = {each.name: hints[each.name] for each in fields(kind) if each.name in fields_of(kind) - inherited}
    if "call" in always:
        own["call"] = int
    return _text(kind, "" if kind is Record else " extends RecordBody", own, own.keys() - always)


def _interface(kind: type) -> str:
    return _text(kind, "", _hints(kind), set(_hints(kind)))


def _text(kind: type, above: str, own: Mapping[str, Any], optional: Collection[str]) -> str:
    docstring = inspect.cleandoc(kind.__doc__ or "")
    section = _SECTION.search(docstring)
    said = {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(section[1] if section else "")}
    lines = [f"/** {' '.join(_SECTION.sub('', docstring).split())} */", f"export interface {_name(kind)}{above} {{"]
    for name, hint in own.items():
        lines += [f"  /** {said[name]} */"] if name in said else []
        lines.append(f"  {name}{'?' if name in optional else ''}: {_type(hint)};")
    return "\n".join([*lines, "}\n"])


def _name(kind: type) -> str:
    return "RecordBody" if kind is Record else kind.__name__  # `Record` is a name of the language


def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _nested_in(hint: Any) -> Iterator[type]:
    if is_typeddict(hint):
        yield hint
    for part in get_args(hint):
        yield from _nested_in(part)


def _type(hint: Any) -> str:  # noqa: PLR0911  one of each form
    parts = get_args(hint)
    match get_origin(hint):
        case None:
            return hint.__name__ if is_typeddict(hint) else _NAMES[hint]
        case origin if origin is Annotated:
            return _type(parts[0])
        case origin if origin is Literal:
            return " | ".join(f'"{value}"' for value in parts)
        case origin if origin in (Union, UnionType):
            return " | ".join(map(_type, parts))
        case origin if origin is dict:
            return f"{{ [key: string]: {_type(parts[1])} }}"
        case origin if origin is list:
            of = _type(parts[0])
            return f"({of})[]" if " | " in of else f"{of}[]"
        case origin if origin is tuple:
            return f"[{', '.join(map(_type, parts))}]"
        case origin:
            raise TypeError(f"{hint} has no type in TypeScript yet: add {origin} here.")


if __name__ == "__main__":
    FILE.write_text(module(), encoding="utf-8")
