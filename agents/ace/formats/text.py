"""The official text format of playbooks: `## SECTION` lines, and one line for each bullet.

    ## STRATEGIES AND INSIGHTS
    [sai-00001] helpful=4 harmful=0 :: Compare the units of both sides before dividing.

Other readers of this format look only for lines `[id] helpful=n harmful=n :: content`. So a bullet's content is written
on one line, in characters that they keep: `␤` is a line break, `␛` escapes what a line cannot hold and the three symbols
themselves, and `␟` begins fields that the format lacks: ` ␟neutral=2 archived`. Backslashes stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from agents.ace.bullet import StoredBullet
from agents.ace.formats.shapes import quoted
from agents.errors import PlaybookFormatError

MAX_DIGITS = 12
"""Most digits of a counter; more than other programs may be able to hold."""
MAX_ID = 100

BREAK, _ESCAPE, MORE = "␤", "␛", "␟"
# Characters that a line cannot hold or that get lost: controls, line breaks of any kind, lone surrogates.
_LOST = re.compile("[␤␛␟\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile("␤|␛(?:([␤␛␟])|([0-9a-f]{0,6});)")
# Letters of any script: some equal Latin ones where case is ignored.
_TAG = re.compile(r"<(?=[^\W\d_]|[/!?|])")

_ID = re.compile(r"[^\s\[\]<>]+")


def bullet_line(bullet: StoredBullet) -> str:
    """The line of a bullet, as files have it."""
    more = ""
    if bullet.neutral or bullet.archived:
        neutral = [f"neutral={bullet.neutral}"] if bullet.neutral else []
        more = f" {MORE}{' '.join([*neutral, *(['archived'] if bullet.archived else [])])}"
    return f"[{bullet.id}] helpful={bullet.helpful} harmful={bullet.harmful} :: {_on_one_line(bullet.content)}{more}"


def prompt_line(bullet: StoredBullet) -> str:
    """The line of a bullet in a prompt. Its text cannot pass for a tag."""
    return f"[{bullet.id}] helpful={bullet.helpful} harmful={bullet.harmful} :: {in_prompt(bullet.content)}"


def in_prompt(content: str) -> str:
    """A bullet's text in its line of a prompt."""
    return _without_tags(_on_one_line(content))


def write_header(section: str, *, prompt: bool = False) -> str:
    """The line that begins a section.

    Args:
        section: Its name.
        prompt: Whether it is for a prompt: then it cannot pass for a tag.
    """
    name = _on_one_line(section) or f"{_ESCAPE};"
    return f"## {_without_tags(name) if prompt else name}"


def prompt_lines(bullets: Iterable[StoredBullet]) -> dict[str, str]:
    """The lines of bullets for a model, by section."""
    lines: dict[str, list[str]] = {}
    for bullet in bullets:
        lines.setdefault(bullet.section, []).append(prompt_line(bullet))
    return {section: "\n".join(found) for section, found in lines.items()}


def write_prompt(parts: Iterable[Mapping[str, str]]) -> str:
    """A playbook for a model, from the `prompt_lines` of its parts: the lines of a section come together."""
    lines: dict[str, list[str]] = {}
    for part in parts:
        for section, text in part.items():
            lines.setdefault(section, []).append(text)
    return "\n\n".join("\n".join([write_header(section, prompt=True), *found]) for section, found in lines.items())


def write_text(sections: Mapping[str, Sequence[StoredBullet]]) -> str:
    """All bullets of a playbook, archived ones too; `text_reader.read_text` reads equal bullets from it."""
    written = (write_header(section) + "\n" + "\n".join(map(bullet_line, found)) for section, found in sections.items())
    return "\n".join(text + "\n" for text in written)


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


def _on_one_line(text: str) -> str:
    if (  # the usual case: printable, so its only white space is spaces
        text.isprintable()
        and text[:1] != " " != text[-1:]
        and (text.isascii() or not (BREAK in text or _ESCAPE in text or MORE in text))
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
    return _ESCAPE + character if character in "␤␛␟" else _code(character)


def _code(character: str) -> str:
    return f"{_ESCAPE}{ord(character):x};"


def unescaped(line: str) -> str:
    """A text that stands on one line, as it was before."""
    if BREAK in line or _ESCAPE in line:
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


def _without_tags(line: str) -> str:
    return _TAG.sub("‹", line) if "<" in line else line
