"""A playbook as a skill: a folder with a SKILL.md that coding agents load, and each bullet's evidence beside it; and back.

In SKILL.md a section is a heading and a bullet an item of a list, with its id in brackets. Further lines of a bullet are
indented. `references/<id>.md` begins with the bullet's line of the official format, which has its counts, and says where it
comes from.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from agents.ace.bullet import StoredBullet, slug_of
from agents.ace.formats.line import on_one_line, unescaped
from agents.ace.formats.shapes import refuse
from agents.ace.formats.text import bullet_line
from agents.ace.formats.text_reader import DEFAULT_SECTION, read_text
from agents.errors import PlaybookFormatError

SKILL_FILE = "SKILL.md"
LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024
_REFERENCES = "references"
_WORDS = re.compile(r"[a-z0-9]+")
_HEAD = re.compile(r"---[ \t]*\r?\n.{0,20000}?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.{0,200}?)[ \t#]{0,20}$")
_ITEM = re.compile(r"(?:[-*+]|\d{1,4}[.)])[ \t]{1,8}(?:\[(\w[\w.-]{0,60}[-_]\d{1,9})\][ \t]{0,8})?(.*)$")
_OWN_ITEM = re.compile(r"- \[([^\s\[\]<>]{1,100})\] (.*)$", re.DOTALL)
"""An item that was written here: whatever stands in its brackets is its id."""
_COMMENT = "<!-- Where a line comes from: references/ID.md -->"
_FENCE = "```"
_PLAIN_NAME = re.compile(r"\w[\w.-]*")
_ZIP_TIME = (2020, 1, 1, 0, 0, 0)
_MOST_BYTES = 16 * 1024 * 1024
"""Most bytes of the files of a skill together."""


def skill_name(text: str) -> str:
    """A name that a skill can have: small letters, digits and hyphens."""
    return "-".join(_WORDS.findall(text.lower()))[:LONGEST_NAME].strip("-") or "playbook"


def has_passed(bullet: StoredBullet) -> bool:
    """Whether a bullet's present text was judged helpful, and more often than harmful."""
    helpful, harmful = bullet.tagged
    return helpful > harmful


def write_skill(
    sections: Mapping[str, Sequence[StoredBullet]],
    *,
    name: str,
    description: str = "",
    only: Collection[str] | None = None,
    passed_only: bool = False,
    evidence: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The files of a skill, by their path in its folder; archived bullets are left out.

    Args:
        sections: The bullets by section, as `Playbook.sections` has them.
        name: The skill's name and its folder's; see `skill_name`.
        description: What it is for and when to read it.
        only: The sections that go along; None for all.
        passed_only: Whether only bullets go along that have passed, see `has_passed`.
        evidence: What is told of each bullet, by its id.

    Raises:
        PlaybookFormatError: No bullet is left.
    """
    chosen = {
        section: kept
        for section, bullets in sections.items()
        if (only is None or section in only)
        and (kept := [one for one in bullets if not one.archived and (not passed_only or has_passed(one))])
    }
    if not chosen:
        refuse("The skill", "no bullet is left. Choose other sections, or bullets that have not passed, too")
    about = " ".join((description or f"Lessons of the playbook {name}: {', '.join(chosen)}.").split())
    lines = ["---", f"name: {name}", f"description: {json.dumps(about[:LONGEST_DESCRIPTION], ensure_ascii=False)}"]
    lines += ["---", f"# {name.replace('-', ' ').capitalize()}", ""]
    lines += [_COMMENT]
    files: dict[str, str] = {}
    for section, bullets in chosen.items():
        lines += ["", f"## {on_one_line(section)}", ""]
        for bullet in bullets:
            lines += _item(bullet)
            told = (evidence or {}).get(bullet.id, "")
            files[f"{_REFERENCES}/{_file_of(bullet.id)}.md"] = f"{bullet_line(bullet)}\n\n{told}".rstrip() + "\n"
    return {SKILL_FILE: "\n".join(lines) + "\n", **files}


def is_skill(text: str) -> bool:
    """Whether a text is a SKILL.md: it begins with a head that has a name and a description."""
    found = _HEAD.match(text)
    return found is not None and "\nname:" in found[0] and "\ndescription:" in found[0]


def read_skill(text: str, references: Mapping[str, str] | None = None) -> list[StoredBullet]:
    """The bullets of a SKILL.md. Items and paragraphs without an id get one; what is code stays with what is before it.

    Args:
        text: The SKILL.md.
        references: Its files in `references`, by name: they have the bullets' counts.
    """
    body = text[found.end() :] if (found := _HEAD.match(text)) else text
    counted = dict(_counted(references or {}))
    bullets: list[StoredBullet] = []
    taken: set[str] = set()
    _, is_own, ours = body.replace("\r\n", "\n").partition(_COMMENT)
    for section, given, content in _own_pieces(ours) if is_own else _foreign_pieces(body.replace("\r\n", "\n")):
        id_ = given
        while not id_ or id_ in taken:
            id_ = f"{slug_of(section)}-{len(taken) + 1:05d}" if not id_ else f"{id_.rpartition('-')[0]}-{len(taken) + 90001}"
        taken.add(id_)
        known = counted.get(id_)
        bullet = StoredBullet(id_, section, content)
        if known is not None:
            bullet = bullet._replace(helpful=known.helpful, harmful=known.harmful, neutral=known.neutral)
        bullets.append(bullet)
    return bullets


def _file_of(bullet_id: str) -> str:
    """The name of a bullet's file: its id, unless that could lead out of the folder."""
    return bullet_id if _PLAIN_NAME.fullmatch(bullet_id) else sha256(bullet_id.encode()).hexdigest()[:16]


def _item(bullet: StoredBullet) -> Iterator[str]:
    first, *more = map(on_one_line, bullet.content.split("\n"))
    yield f"- [{bullet.id}] {first}"
    yield from (f"  {line}" for line in more)


def _own_pieces(body: str) -> Iterator[tuple[str, str, str]]:
    """Section, id and text of each bullet in a text that `write_skill` wrote."""
    section, id_ = DEFAULT_SECTION, ""
    lines: list[str] = []
    for line in (*body.split("\n"), "## "):
        if line.startswith("  "):
            lines.append(unescaped(line[2:]))
        elif (item := _OWN_ITEM.match(line)) or line.startswith("## "):
            if id_:
                yield section, id_, "\n".join(lines)
            id_, lines = (item[1], [unescaped(item[2])]) if item else ("", [])
            section = section if item else unescaped(line[3:])


def _foreign_pieces(body: str) -> list[tuple[str, str, str]]:
    pieces = _Pieces()
    for line in body.split("\n"):
        pieces.take(line)
    pieces.end()
    return pieces.found


class _Pieces:
    """The items and paragraphs of a SKILL.md that somebody else wrote, line by line.

    Attributes:
        found: Section, id and text of each; "" for no id.
    """

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str]] = []
        self._section, self._id = DEFAULT_SECTION, ""
        self._lines: list[str] = []
        self._is_comment = self._is_code = False

    def take(self, line: str) -> None:
        """Takes a line."""
        fence = line.lstrip().startswith(_FENCE)
        if self._is_code or fence:
            self._lines.append(line.removeprefix("  "))
            self._is_code = self._is_code != fence
        elif self._is_comment or (not self._lines and line.startswith("<!--")):
            self._is_comment = "-->" not in line
        elif heading := _HEADING.match(line):
            self.end()
            self._section = heading[2] if len(heading[1]) > 1 else self._section
        elif item := _ITEM.match(line):
            self.end()
            self._id, self._lines = item[1] or "", [item[2]]
        elif line.startswith("  ") and self._lines:
            self._lines.append(line[2:])
        elif line.strip():
            self._paragraph(line)
        elif self._lines:
            self._lines.append("")

    def _paragraph(self, line: str) -> None:
        if self._id or not (self._lines and self._lines[-1].strip()):
            self.end()
        self._lines.append(line)

    def end(self) -> None:
        """Ends a piece."""
        if content := "\n".join(self._lines).strip():
            self.found.append((self._section, self._id, content))
        self._id, self._lines = "", []


def _counted(references: Mapping[str, str]) -> Iterator[tuple[str, StoredBullet]]:
    """The bullets that files of evidence begin with."""
    for text in references.values():
        try:
            bullets = read_text(text.partition("\n")[0])
        except PlaybookFormatError:
            continue
        yield from ((bullet.id, bullet) for bullet in bullets)


def zip_skill(files: Mapping[str, str], name: str) -> bytes:
    """A skill's folder as a ZIP archive; the same bytes for the same files."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(f"{name}/{path}", _ZIP_TIME), text.encode())
    return found.getvalue()


def unzip_skill(content: bytes) -> tuple[str, dict[str, str]]:
    """The SKILL.md of an archive and the files in its `references`. Nothing is unpacked to disk.

    Raises:
        PlaybookFormatError: It is no archive, has no SKILL.md, or is too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            heads = sorted(
                (i for i in infos if i.filename.rpartition("/")[2].lower() == "skill.md"), key=lambda i: len(i.filename)
            )
            if not heads:
                refuse("The archive", f"there is no {SKILL_FILE} in it. Choose the archive of a skill's folder")
            folder = heads[0].filename.rpartition("/")[0]
            below = f"{folder}/{_REFERENCES}/" if folder else f"{_REFERENCES}/"
            wanted = [heads[0], *(info for info in infos if info.filename.startswith(below))]
            if sum(info.file_size for info in wanted) > _MOST_BYTES:
                refuse("The archive", f"it has more than {_MOST_BYTES // 1024 // 1024} MB. Choose the archive of a skill")
            if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in wanted):
                refuse("The archive", "it is not packed as ZIP archives are. Pack the skill's folder again, with Deflate")
            texts = {info.filename: archive.read(info).decode("utf-8-sig", "replace") for info in wanted}
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError, zlib.error) as error:
        refuse(
            "The archive", f"this is a ZIP archive that cannot be read ({str(error)[:100]}). Choose that of a skill's folder"
        )
    return texts.pop(heads[0].filename), {path.removeprefix(below): text for path, text in texts.items()}
