"""The official text format of playbooks: `## SECTION` lines, and one line for each bullet.

    ## STRATEGIES AND INSIGHTS
    [sai-00001] helpful=4 harmful=0 :: Compare the units of both sides before dividing.

Other readers of this format look only for lines `[id] helpful=n harmful=n :: content`. So a bullet's content is written
on one line, in characters that they keep: `␤` is a line break, `␛` escapes what a line cannot hold and the three symbols
themselves, and `␟` begins fields that the format lacks: ` ␟neutral=2 archived`. Backslashes stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agents.ace.bullet import StoredBullet
from agents.ace.formats.shapes import quoted
from agents.errors import PlaybookFormatError

DEFAULT_SECTION = "others"
"""Section of bullets before the first header; the official implementation's name."""
MAX_DIGITS = 12
"""Most digits of a counter; more than other programs may be able to hold."""
MAX_ID = 100

_BREAK, _ESCAPE, _MORE = "␤", "␛", "␟"
_COMMENT, _COMMENT_END = "<!--", "-->"
# Characters that a line cannot hold or that get lost: controls, line breaks of any kind, lone surrogates.
_LOST = re.compile("[␤␛␟\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile("␤|␛(?:([␤␛␟])|([0-9a-f]{0,6});)")
# Letters of any script: some equal Latin ones where case is ignored.
_TAG = re.compile(r"<(?=[^\W\d_]|[/!?|])")

_BULLET = re.compile(r"(?:[-*]\s+)?\[([^\]]+)\]\s*helpful=(\d+)\s*harmful=(\d+)\s*::\s*(.*)", re.DOTALL)
_EXTRAS = re.compile(r"(?:^| )␟(?:neutral=([0-9]+)(?: (archived))?|(archived))$")
_LIKE_A_BULLET = re.compile(r"(?:[-*]\s+)?\[|.*\b(?:helpful|harmful)\s*=\s*\d")
_ID = re.compile(r"[^\s\[\]<>]+")


def bullet_line(bullet: StoredBullet) -> str:
    """The line of a bullet, as files have it."""
    more = ""
    if bullet.neutral or bullet.archived:
        neutral = [f"neutral={bullet.neutral}"] if bullet.neutral else []
        more = f" {_MORE}{' '.join([*neutral, *(['archived'] if bullet.archived else [])])}"
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
    """All bullets of a playbook, archived ones too; `read_text` reads equal bullets from it."""
    written = (write_header(section) + "\n" + "\n".join(map(bullet_line, found)) for section, found in sections.items())
    return "\n".join(text + "\n" for text in written)


def read_text(text: str) -> list[StoredBullet]:
    """Reads the bullets of a playbook in the official text format.

    Blank lines, comments (`<!-- … -->`), list marks before bullets and empty sections are ignored. A section may come in
    several pieces. Another line below a bullet continues its text: some programs write line breaks as they are. Any other
    line must be a header or a bullet, so that nothing is lost unnoticed.

    Args:
        text: With line breaks of any system.

    Raises:
        PlaybookFormatError: A line cannot be read, or an id is given twice; the message names the line.
    """
    bullets: list[StoredBullet] = []
    more: dict[int, list[str]] = {}  # further lines of a bullet's text, by its place
    lines: dict[str, int] = {}  # by id
    section, goes_on = DEFAULT_SECTION, False
    for number, line in _lines_of(text):
        if line.startswith("##"):
            section, goes_on = _read_header(line, number), False
            continue
        if goes_on and not _LIKE_A_BULLET.match(line):
            more.setdefault(len(bullets) - 1, []).append(_unescaped(line))
            continue
        goes_on = True
        bullet = _read_bullet(line, number, section)
        if bullet.id in lines:
            raise PlaybookFormatError(
                f"Line {number}: the id {bullet.id} was given in line {lines[bullet.id]} already. An id names one "
                "bullet: give this one another, or take one of the two lines out."
            )
        lines[bullet.id] = number
        bullets.append(bullet)
    for place, further in more.items():
        bullets[place] = bullets[place]._replace(content="\n".join([bullets[place].content, *further]))
    return bullets


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


def _lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines with text, with their numbers; without surrounding white space and comments."""
    begun = 0  # the line of an open comment
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.strip()
        if begun or line.startswith(_COMMENT):
            line, begun = _after_comments(line, number, begun)
        if line:
            yield number, line
    if begun:
        raise PlaybookFormatError(f"Line {begun}: a comment begins here and does not end. Write --> after it.")


def _after_comments(line: str, number: int, begun: int) -> tuple[str, int]:
    """The text of a line after its leading comments, and the line in which an open comment began."""
    place = 0
    while begun or line.startswith(_COMMENT, place):
        start = place if begun else place + len(_COMMENT)
        end = line.find(_COMMENT_END, start)
        if line.find(_COMMENT, start, end if end >= 0 else len(line)) >= 0:
            raise PlaybookFormatError(
                f"Line {number}: a comment begins in the one of line {begun or number}. Write --> where that one ends."
            )
        if end < 0:
            return "", begun or number
        begun, place = 0, end + len(_COMMENT_END)
        while line[place : place + 1].isspace():
            place += 1
    return line[place:], 0


def _read_header(line: str, number: int) -> str:
    name = line.lstrip("#").strip() if line.startswith("###") else line[2:].strip()
    if not name:
        raise PlaybookFormatError(f"Line {number}: a section without a name. Write one after ##, as in ## UNITS.")
    return _unescaped(name)


def _read_bullet(line: str, number: int, section: str) -> StoredBullet:
    found = _BULLET.fullmatch(line)
    if found is None:
        raise PlaybookFormatError(_what_is_wrong(line, number))
    bullet_id, helpful, harmful, content = found.groups()
    neutral, archived = "0", False
    if _MORE in content and (more := _EXTRAS.search(content)):
        neutral, archived = more[1] or "0", bool(more[2] or more[3])
        content = content[: more.start()]
    content = _unescaped(content)
    check_id(bullet_id, f"Line {number}")
    if max(map(len, (helpful, harmful, neutral))) > MAX_DIGITS:
        raise PlaybookFormatError(
            f"Line {number}: a counter of the bullet {bullet_id} has more than {MAX_DIGITS} digits. Correct it."
        )
    return StoredBullet(bullet_id, section, content, int(helpful), int(harmful), int(neutral), archived=archived)


def _what_is_wrong(line: str, number: int) -> str:
    if _LIKE_A_BULLET.match(line):
        return (
            f"Line {number}: {quoted(line)} looks like a bullet and cannot be read as one. "
            "Write it as [id] helpful=0 harmful=0 :: text, with an id such as units-00001 and both counters."
        )
    return (
        f"Line {number}: {quoted(line)} is neither a section (## NAME) nor a bullet ([id] helpful=0 harmful=0 :: text). "
        f"If it belongs to the bullet above, put it into its line, with {_BREAK} for the line break; "
        "if it is a remark, write <!-- before and --> after it."
    )


def _on_one_line(text: str) -> str:
    if (  # the usual case: printable, so its only white space is spaces
        text.isprintable()
        and text[:1] != " " != text[-1:]
        and (text.isascii() or not (_BREAK in text or _ESCAPE in text or _MORE in text))
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
        return _BREAK
    return _ESCAPE + character if character in "␤␛␟" else _code(character)


def _code(character: str) -> str:
    return f"{_ESCAPE}{ord(character):x};"


def _unescaped(line: str) -> str:
    if _BREAK in line or _ESCAPE in line:
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
