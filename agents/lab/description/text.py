"""Errors in the text of a description, with the line that each is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.lab.description.arms import KINDS

_WORDS = {
    "extra_forbidden": "there is no such field",
    "union_tag_not_found": "it has no kind",
    "string_pattern_mismatch": "it may have letters, digits, blanks and . , ( ) = - _ and begins with a letter or a digit",
}


def problem_in(text: str, error: Mapping[str, Any]) -> str:
    """An error of pydantic in words, with line and field."""
    place = [one for number, one in enumerate(error["loc"]) if not (number == 2 and one in KINDS)]  # noqa: PLR2004
    line = _line_of(text, place)
    where = ".".join(str(one + 1) if isinstance(one, int) else one for one in place)
    said = str(error["msg"]).removeprefix("Value error, ")
    said = _WORDS.get(error["type"], said)
    return f"{f'line {line}, ' if line else ''}{where + ': ' if where else ''}{said[:1].lower()}{said[1:]}"


def _line_of(text: str, place: list[str | int]) -> int:
    """The number of the line that has a field, or of its table's header; 0 if it is not found."""
    tables = [str(one) for one in place if isinstance(one, str)]
    wanted = next((one for one in place if isinstance(one, int)), 0)
    seen, header, found = -1, "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if said.startswith("["):
            header = said.partition("]")[0].strip("[ ")
            seen += said.startswith("[[") and bool(tables) and header == tables[0]
            if tables and header == tables[0] and (not said.startswith("[[") or seen == wanted):
                found = number
            continue
        key = said.partition("=")[0].strip().strip("\"'")
        is_here = header == "" or (header in tables and (seen == wanted or seen < 0))
        if tables and key == tables[-1] and is_here and header in ("", tables[0]):
            return number
    return found
