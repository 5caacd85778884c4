"""Reads the file of a session, or says which line is wrong and what to do. Nothing is stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn, TypeVar, cast

from google.genai import types
from pydantic import BaseModel, ValidationError

from agents.ace.formats.reader import check_count, check_limits
from agents.ace.playbook import Playbook
from agents.artifact import kept, problem_of
from agents.errors import ArtifactError, PlaybookFormatError, SessionFileError
from agents.log import LogEntry, text_hash
from agents.playbook import is_playbook_name
from agents.sharing.entries import checked_entry
from agents.sharing.lines import Artifact, Base, Delta, Header, Line, Text
from agents.sharing.playbooks import SharedDelta, SharedPlaybook
from agents.sharing.session_file import FORMAT, VERSION, SessionFile, SharedArtifact, to_line

MAX_SESSION_FILE_BYTES = 200_000_000
"""Most bytes of a file."""

_ARCHIVES = {b"PK\x03\x04": "a ZIP archive", b"\x1f\x8b": "a gzip archive", b"SQLite format 3\x00": "a database"}
_WANTED = "Choose a file that was exported as JSON lines, or as ADK's session JSON."

T = TypeVar("T", bound=BaseModel)


def read_session_file(content: bytes) -> SessionFile:
    """Reads and checks the whole file.

    Raises:
        SessionFileError: It is not such a file, is cut off, is of a newer version, or a line is not as it was exported.
    """
    lines = list(_lines(file_text(content)))
    header = _header(lines[0][1])
    reading = _Reading(header)
    for number, line in lines[1:]:
        reading.take(number, line)
    return reading.finished()


def file_text(content: bytes) -> str:
    """The text of a file.

    Raises:
        SessionFileError: It is empty, too large, an archive, or not text in UTF-8.
    """
    if len(content) > MAX_SESSION_FILE_BYTES:
        raise SessionFileError(
            f"The file has {len(content) / 1e6:,.0f} MB; {MAX_SESSION_FILE_BYTES / 1e6:,.0f} MB is the most that is read."
        )
    for start, kind in _ARCHIVES.items():
        if content.startswith(start):
            raise SessionFileError(f"This is {kind}, not the file of a session. Unpack or export it first. {_WANTED}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SessionFileError(f"Line {line}: this is not text in UTF-8. {_WANTED}") from None
    if not text.strip():
        raise SessionFileError(f"The file is empty. {_WANTED}")
    return text


def load_json(text: str) -> Any:
    """A JSON value whose numbers are finite and whose text is Unicode.

    Raises:
        ValueError: It is none; the message says why.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_number, parse_float=_finite)
        to_line(value).encode()
    except RecursionError:
        raise ValueError("lists or objects are nested too deep") from None
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair stands in a text") from None
    return value


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _header(line: str) -> Header:
    try:
        value = load_json(line)
    except ValueError:
        value = None
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if fields.get("format") != FORMAT:
        raise SessionFileError(f"This is not the file of a session: its first line is no header. {_WANTED}")
    version = fields.get("version")
    if isinstance(version, int) and version > VERSION:
        raise SessionFileError(
            f"The file has version {version} of the format, and this playground reads up to {VERSION}. Update it first."
        )
    return _checked(Header, fields, 1)


class _Reading:
    """What was read so far."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._counts: Counter[str] = Counter()
        self._entries: list[LogEntry] = []
        self._texts: dict[str, str] = {}
        self._artifacts: dict[tuple[str, int], SharedArtifact] = {}
        self._playbooks: dict[str, SharedPlaybook] = {}
        self._newest: dict[str, Playbook] = {}
        self._deltas: dict[str, list[SharedDelta]] = {}

    def take(self, number: int, line: str) -> None:
        """Takes in a line."""
        try:
            value = load_json(line)
        except ValueError as error:
            _refuse(number, f"this is not JSON ({error}). The file is cut off or was changed")
        found = _checked(Line, value, number)
        self._counts[found.type] += 1
        try:
            match found.type:
                case "entry":
                    self._entries.append(checked_entry(value, place=len(self._entries) + 1))
                case "text":
                    self._take_text(_checked(Text, value, number))
                case "artifact":
                    self._take_artifact(_checked(Artifact, value, number))
                case "playbook":
                    self._take_playbook(_checked(Base, value, number))
                case "delta":
                    self._take_delta(_checked(Delta, value, number))
        except (ValueError, TypeError, AttributeError, ArtifactError, PlaybookFormatError) as error:
            _refuse(number, str(error))

    def finished(self) -> SessionFile:
        """The file.

        Raises:
            SessionFileError: Lines are missing.
        """
        header = self._header
        for kind, count in header.includes.model_dump().items():
            if self._counts[kind] != count:
                raise SessionFileError(
                    f"The file is cut off or was changed: it should have {count:,} lines of type {kind}, and has "
                    f"{self._counts[kind]:,}. Export the session again."
                )
        if not self._entries:
            raise SessionFileError("The file has no entries, so there is no session in it. Export the session again.")
        playbooks = (
            SharedPlaybook(name=name, base=found.base, deltas=tuple(self._deltas[name]))
            for name, found in self._playbooks.items()
        )
        return SessionFile(
            session=header.session,
            pipeline=header.pipeline,
            title=header.title,
            scopes=tuple(header.scopes),
            entries=tuple(self._entries),
            texts=self._texts,
            artifacts=tuple(self._artifacts.values()),
            playbooks=tuple(playbooks),
        )

    def _take_text(self, line: Text) -> None:
        if text_hash(line.text) != line.hash:
            raise ValueError("the text is not the one that its hash names")
        self._texts[line.hash] = line.text

    def _take_artifact(self, line: Artifact) -> None:
        if (problem := problem_of(line.name)) is not None or line.name.startswith("user:"):
            raise ValueError(f"{line.name[:80]!r} cannot be the name of a session's file: {problem or 'users share it'}")
        if (line.name, line.version) in self._artifacts:
            raise ValueError(f"version {line.version} of {line.name!r} is there twice")
        part = kept(line.name, types.Part.model_validate(line.part))
        self._artifacts[line.name, line.version] = SharedArtifact(name=line.name, version=line.version, part=part)

    def _take_playbook(self, line: Base) -> None:
        if not is_playbook_name(line.name) or line.name in self._playbooks:
            raise ValueError(f"{line.name[:80]!r} cannot name a playbook, or is there twice")
        base = Playbook.from_json(to_line(line.base))
        check_count(len(base), "The playbook")
        check_limits(base.bullets)
        base = base.replace(name="")
        self._playbooks[line.name] = SharedPlaybook(name=line.name, base=base, deltas=())
        self._newest[line.name], self._deltas[line.name] = base, []

    def _take_delta(self, line: Delta) -> None:
        newest = self._newest.get(line.playbook)
        if newest is None or line.revision != newest.revision + 1:
            raise ValueError(
                f"revision {line.revision} does not follow what is before it of playbook {line.playbook[:80]!r}"
            )
        if line.entry > len(self._entries):
            raise ValueError(f"there is no entry {line.entry}")
        delta = SharedDelta(**line.model_dump(exclude={"type", "playbook"}))
        follows = SharedPlaybook(name="", base=newest, deltas=(delta,))
        try:
            *_, self._newest[line.playbook] = follows.revisions()
        except (LookupError, TypeError, AttributeError, AssertionError) as error:
            raise ValueError(f"its changes do not fit the playbook ({type(error).__name__}: {str(error)[:100]})") from None
        check_limits(self._newest[line.playbook].bullets)
        self._deltas[line.playbook].append(delta)


def _checked(kind: type[T], value: Any, number: int) -> T:
    try:
        return kind.model_validate(value, strict=True)
    except ValidationError as error:
        _refuse(number, first_problem(error))


def first_problem(error: ValidationError) -> str:
    """The first problem of a value, and where it is."""
    found = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(map(str, found["loc"]))[:100]
    return f"{place}: {found['msg'][:200]}" if place else found["msg"][:200]


def _refuse(number: int, problem: str) -> NoReturn:
    raise SessionFileError(f"Line {number}: {problem[:400]}. Nothing was imported; export the session again.")


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number in JSON")


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise ValueError("a number is too large")
    return number
