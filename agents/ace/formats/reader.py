"""Reads and writes playbooks as JSON, with provenance; detects the format of a file.

The JSON is the same text for the same playbook in every process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, cast

from agents.ace.bullet import TAGS, Contents, StoredBullet
from agents.ace.formats.dictionary import from_dict
from agents.ace.formats.file import check_size, playbook_file_text
from agents.ace.formats.foreign import from_foreign
from agents.ace.formats.line import MAX_DIGITS, check_id
from agents.ace.formats.shapes import expect, first_twice, load_json, refuse
from agents.ace.formats.skill import is_skill, read_skill, unzip_skill
from agents.ace.formats.text_reader import read_text
from agents.ace.operations import MAX_BULLET_LENGTH, MAX_PLAYBOOK_BULLETS, MAX_SECTION

FORMAT = "agent-playground/playbook"
VERSION = 1
LAST_TIME = 253_402_300_800.0
"""Seconds from the epoch to the year 10,000, where calendars end."""

KINDS = (
    'A playbook is a text of "## SECTION" and "[id] helpful=0 harmful=0 :: text" lines, the JSON that is exported here, '
    'or JSON with "bullets" or "skills", such as a skillbook'
)

_DEFAULTS: dict[str, Any] = StoredBullet._field_defaults
_REQUIRED = [name for name in StoredBullet._fields if name not in _DEFAULTS]
_TYPES: dict[str, type] = {
    **dict.fromkeys(_REQUIRED, str),
    **{name: list if isinstance(value, tuple) else type(value) for name, value in _DEFAULTS.items()},
}
_BEGIN = 10_000
"""Characters at the beginning of a file that tell another kind of file."""
_JSON = re.compile(r"(?:\{|\[\s*[\[{\"])")
_OTHER_FILES = {
    "a session that was exported here. Import it on the Sessions page": re.compile(
        r'\{[^\n"]{0,8}"format"\s*:\s*"agent-playground/session"'
    ),
    "a web page. Save the text of the playbook alone": re.compile(r"<(?:!doctype html|html|head|body)\b", re.IGNORECASE),
}
# White space before a bullet stays within its line: a run of line breaks must not be read again from each of them.
_TEXT = re.compile(r"^[^\S\n]*(?:##|(?:[-*][^\S\n]+)?\[(?:[^\]\n]+\][^\S\n]*helpful=|\w[\w.-]*[-_]\d+\]))", re.MULTILINE)


def to_json(bullets: Iterable[StoredBullet], *, name: str, revision: int, next_number: int, queries: int) -> str:
    """A playbook as JSON; a bullet's fields at their defaults are left out.

    Args:
        bullets: The bullets.
        name: As in `Bullets`, like those that follow.
        revision: As there.
        next_number: As there.
        queries: As there.
    """
    playbook = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "revision": revision,
        "next_number": next_number,
        "queries": queries,
        "bullets": list(map(_plain, bullets)),
    }
    return json.dumps(playbook, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Contents:
    """Reads what `to_json` wrote.

    Raises:
        PlaybookFormatError: It is something else; the message says where.
    """
    return _from_plain(load_json(text, strict=False))


def read_any(text: str) -> Contents:
    """Reads a playbook in any format, those of other implementations too, for import.

    Raises:
        PlaybookFormatError: It is too large, in none of them, or beyond the limits; the message says where.
    """
    check_size(len(text.encode("utf-8", "replace")))
    content = text.removeprefix("\ufeff")
    begun = content[:_BEGIN].lstrip()
    for kind, begins in _OTHER_FILES.items():
        if begins.match(begun):
            refuse("The file", f"this is {kind}")
    found = None
    if is_skill(content):
        found = Contents(read_skill(content))
    elif _JSON.match(content.lstrip()):
        found = _from_value(load_json(content))
    elif _TEXT.search(content):
        found = Contents(read_text(content))
    if found is None:
        refuse("The file", f"there is no playbook in it. {KINDS}")
    check_count(len(found.bullets), "The file")
    check_limits(found.bullets)
    return found


def read_file(content: bytes) -> Contents:
    """Reads a file: a text in any format, or the ZIP archive of a skill's folder.

    Raises:
        PlaybookFormatError: As for `read_any`; or it is no text.
    """
    if not content.startswith(b"PK\x03\x04"):
        return read_any(playbook_file_text(content))
    check_size(len(content))
    found = Contents(read_skill(*unzip_skill(content)))
    check_count(len(found.bullets), "The archive")
    check_limits(found.bullets)
    return found


def _from_value(value: Any) -> Contents | None:
    top = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if "format" in top:
        return _from_plain(top)
    if isinstance(top.get("events"), list):
        refuse("The file", "this is a session of ADK. Import it on the Sessions page")
    return from_dict(top) if isinstance(top.get("bullets"), dict) else from_foreign(value)


def check_count(count: int, what: str) -> None:
    """Refuses too many bullets.

    Args:
        count: Number of bullets after the import.
        what: The beginning of the message, e.g. "The file".

    Raises:
        PlaybookFormatError: There are too many.
    """
    if count > MAX_PLAYBOOK_BULLETS:
        refuse(
            what,
            f"there would be {count:,} bullets in it, and {MAX_PLAYBOOK_BULLETS:,} is the most, since a model reads them. "
            "Take out those that are not needed",
        )


def check_limits(bullets: Iterable[StoredBullet]) -> None:
    """Refuses bullets beyond the limits of operations.

    Raises:
        PlaybookFormatError: An id, a text, a counter or a time is beyond the limits; the message names the bullet.
    """
    for bullet in bullets:
        check_id(bullet.id, "bullets")
        _check_text(bullet, "content", bullet.content, MAX_BULLET_LENGTH)
        _check_text(bullet, "section", bullet.section, MAX_SECTION)
        for name in TAGS:
            if not 0 <= getattr(bullet, name) < 10**MAX_DIGITS:
                _refuse_of(bullet, f"{name!r} must be from 0 on, with at most {MAX_DIGITS} digits. Correct it")
        for name in ("created_at", "updated_at"):
            if not 0 <= getattr(bullet, name) < LAST_TIME:
                _refuse_of(bullet, f"{name!r} is no time between 1970 and 10,000. Correct it")


def _check_text(bullet: StoredBullet, name: str, text: str, most: int) -> None:
    if not text or text.isspace():
        _refuse_of(bullet, f"its {name} is empty. Write one, or take the bullet out")
    if len(text) > most:
        _refuse_of(bullet, f"its {name} has {len(text):,} characters, and {most:,} is the most. Shorten it")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        _refuse_of(bullet, f"its {name} holds half a character (a lone surrogate). Correct it")


def _refuse_of(bullet: StoredBullet, what: str) -> None:
    refuse(f"Bullet {bullet.id}", what)


def _plain(bullet: StoredBullet) -> dict[str, Any]:
    named = zip(StoredBullet._fields, bullet, strict=True)
    values: dict[str, Any] = {name: value for name, value in named if name not in _DEFAULTS or value != _DEFAULTS[name]}
    for name in ("created_at", "updated_at"):  # 5 and 5.0 give the same text
        if name in values:
            values[name] = float(values[name])
    return values


def _from_plain(value: Any) -> Contents:
    top = expect(value, dict, "The playbook")
    if top.get("format") != FORMAT:
        refuse("format", f"this is not {FORMAT!r}. {KINDS}")
    if (version := top.get("version")) != VERSION:
        refuse(
            "version", f"only {VERSION} is known here, not {version!r}. If a newer version wrote it, read it with that one"
        )
    items: list[Any] = expect(top.get("bullets"), list, "bullets")
    bullets = [_bullet(item, f"bullets[{number}]") for number, item in enumerate(items)]
    ids = [bullet.id for bullet in bullets]
    if len(set(ids)) < len(ids):
        refuse("bullets", f"the id {first_twice(ids)} is there twice. Give one of the two bullets another")
    return Contents(
        bullets,
        name=expect(top.get("name", ""), str, "name"),
        revision=expect(top.get("revision", 0), int, "revision"),
        next_number=expect(top.get("next_number", 1), int, "next_number"),
        queries=expect(top.get("queries", 0), int, "queries"),
    )


def _bullet(value: Any, where: str) -> StoredBullet:
    """Reads a bullet field by field: a time may be a whole number, and an error names the field."""
    plain: dict[str, Any] = expect(value, dict, where)
    for name in _REQUIRED:
        if name not in plain:
            refuse(where, f"there is no {name!r}. Add it")
    values: dict[str, Any] = {}
    for name, item in plain.items():
        if name not in _TYPES:
            refuse(f"{where}.{name}", f"a bullet has no such field, but {', '.join(StoredBullet._fields)}. Take it out")
        values[name] = expect(item, _TYPES[name], f"{where}.{name}")
    merged: list[Any] = plain.get("merged_from", [])
    values["merged_from"] = tuple(expect(id_, str, f"{where}.merged_from[{number}]") for number, id_ in enumerate(merged))
    return StoredBullet(**values)
