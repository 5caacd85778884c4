"""What a line of the official text format can hold: ids, counters, and texts with their line breaks escaped."""

from __future__ import annotations

import re

from agents.ace.formats.shapes import quoted
from agents.errors import PlaybookFormatError

MAX_DIGITS = 12
"""Most digits of a counter; more than other programs may be able to hold."""
MAX_ID = 100

BREAK, ESCAPE, MORE = "␤", "␛", "␟"
# Characters that a line cannot hold or that get lost: controls, line breaks of any kind, lone surrogates.
_LOST = re.compile("[␤␛␟\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile("␤|␛(?:([␤␛␟])|([0-9a-f]{0,6});)")
_ID = re.compile(r"[^\s\[\]<>]+")


def check_id(bullet_id: str, where: str) -> None:
    """Refuses an invalid id.

    Args:
        bullet_id: The id.
        where: The beginning of the message, e.g. "Line 3".

    Raises:
        PlaybookFormatError: It is empty, too long, or has a character that would end it early in a line.
    """
    if not _ID.fullmatch(bullet_id) or not bullet_id.isprintable() or len(bullet_id) > MAX_ID:
        raise PlaybookFormatError(
            f"{where}: {quoted(bullet_id)} cannot be the id of a bullet. Use at most {MAX_ID} letters, digits and hyphens, "
            "as in units-00001; there can be no spaces, brackets or < > in it."
        )


def on_one_line(text: str) -> str:
    """A text in characters that a line can hold."""
    if (  # the usual case: printable, so its only white space is spaces
        text.isprintable()
        and text[:1] != " " != text[-1:]
        and (text.isascii() or not (BREAK in text or ESCAPE in text or MORE in text))
    ):
        return text
    line = _LOST.sub(_escaped, text)
    # Readers strip lines, so a space of any kind at an end is escaped.
    if line[:1].isspace():
        line = _code(line[0]) + line[1:]
    if line[-1:].isspace():
        line = line[:-1] + _code(line[-1])
    return line


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if character == "\n":
        return BREAK
    return ESCAPE + character if character in "␤␛␟" else _code(character)


def _code(character: str) -> str:
    return f"{ESCAPE}{ord(character):x};"


def unescaped(line: str) -> str:
    """A text that stands on one line, as it was before."""
    if BREAK in line or ESCAPE in line:
        return _ESCAPED.sub(_meant, line)
    return line


def _meant(found: re.Match[str]) -> str:
    literal, code = found.groups()
    if literal or code is None:
        return literal or "\n"
    if not code:
        return ""
    meant = int(code, 16)
    return chr(meant) if meant <= 0x10FFFF else found[0]  # noqa: PLR2004  the last code point there is
