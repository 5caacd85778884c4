"""Reads the file of a session of a coding agent, in any of the formats, as the log that it becomes here."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from agents.errors import SessionFileError
from agents.sharing import MAX_SESSION_FILE_BYTES
from agents.storage.given_file import open_given
from agents.transcripts.formats.atif.reader import VERSION, is_atif, steps_of
from agents.transcripts.formats.claude_code import ClaudeCodeReader, Helpers, is_claude_code, text_of
from agents.transcripts.formats.codex import CodexReader, is_codex
from agents.transcripts.formats.fields import object_in, text_in
from agents.transcripts.lines import Line, Lines, loaded
from agents.transcripts.recorded_log import RecordedLog
from agents.transcripts.secrets import Secrets
from agents.transcripts.steps import Reader

Format = Literal["claude_code", "codex", "atif"]
FORMATS: Mapping[str, str] = {"claude_code": "Claude Code", "codex": "Codex", "atif": "ATIF"}
"""Format → what it is called."""

_LOOKED_AT = 200
"""Lines at the beginning of a file that tell its format."""
_HEAD = 4096
"""Bytes at the beginning of a file that have the version of ATIF."""
AGENT_FILE = "agent-"
"""How the name of a sub-agent's file begins."""

Progress = Callable[[int], None]
"""Called with the number of bytes that were read."""


@dataclass(kw_only=True)
class Transcript:
    """A session of a coding agent as it was read. Close it once it is stored.

    Attributes:
        format: Whose file it is.
        session: The session's id there.
        title: Its title.
        log: Its log.
        masked: How many secrets of each kind were masked.
        unread: How many lines could not be read, and are kept as they are.
        left_out: Lines that say nothing of the conversation, by their kind.
        encodings: How many lines were in another encoding than UTF-8.
    """

    format: Format
    session: str
    title: str
    log: RecordedLog
    masked: Counter[str] = field(default_factory=Counter[str])
    unread: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])
    encodings: Counter[str] = field(default_factory=Counter[str])

    def close(self) -> None:
        """Removes what it keeps on disk."""
        self.log.log.close()


def read_transcript(
    file: BinaryIO,
    *,
    name: str,
    mask: bool = True,
    helpers: Helpers | None = None,
    is_helper: bool = False,
    progress: Progress | None = None,
) -> Transcript:
    """Reads a session of a coding agent, in any of the formats. Lines are read one at a time; an ATIF trajectory as a whole.

    Args:
        file: The file, at its beginning.
        name: What it is called, for messages.
        mask: Whether secrets are masked.
        helpers: The files of the sub-agents of a session of Claude Code.
        is_helper: Whether it is the file of a sub-agent.
        progress: Called now and then.

    Raises:
        SessionFileError: It is no such session, or has no messages.
        OSError: It cannot be read.
    """
    secrets = Secrets() if mask else None
    start = file.read(_HEAD)
    file.seek(0)
    if b'"schema_version"' in start and VERSION.encode() in start:
        return _read_trajectory(file, name=name, secrets=secrets)
    return _read_lines(file, name=name, secrets=secrets, helpers=helpers, is_helper=is_helper, progress=progress)


def may_be_transcript(start: bytes) -> bool:
    """Whether a file that begins so is a session of a coding agent; what was exported here, or by ADK, is none."""
    if b'"schema_version"' in start and VERSION.encode() in start:
        return True
    lines = islice(Lines(BytesIO(start)), _LOOKED_AT)
    return any(line.value is not None and format_of(line.value) is not None for line in lines)


def _read_trajectory(file: BinaryIO, *, name: str, secrets: Secrets | None) -> Transcript:
    content = file.read(MAX_SESSION_FILE_BYTES + 1)
    if len(content) > MAX_SESSION_FILE_BYTES:
        raise SessionFileError(f"{name} has more than {MAX_SESSION_FILE_BYTES / 1e6:,.0f} MB. Nothing was imported.")
    raw = content.removeprefix(codecs.BOM_UTF8).strip()
    value = loaded(raw)
    if value is None or not is_atif(value):
        raise SessionFileError(f"{name} is no ATIF trajectory: it is cut off, or has no steps. Nothing was imported.")
    log = RecordedLog(secrets)
    steps = steps_of(value)
    first = next(steps, None)
    log.begin(None if first is None else first.at)
    for step in chain(() if first is None else (first,), steps):
        log.take(step)
    log.finish()
    title = text_in(object_in(value, "extra"), "title")
    read = Transcript(format="atif", session=text_in(value, "session_id") or Path(name).stem, title=title, log=log)
    read.unread = sum(not isinstance(step, dict) for step in value["steps"])
    return _checked(read, name, secrets)


def _checked(read: Transcript, name: str, secrets: Secrets | None) -> Transcript:
    """The transcript, if there is a session in it."""
    if not read.log.answers and not read.log.title:
        read.close()
        raise SessionFileError(f"{name} has no messages: there is no session in it. Nothing was imported.")
    read.title = read.title or read.log.title
    if secrets is not None:  # the session may be the file's name
        read.session, read.title = secrets.mask_text(read.session), secrets.mask_text(read.title)
        read.left_out = Counter({secrets.mask_text(kind): count for kind, count in read.left_out.items()})
    read.masked = Counter() if secrets is None else secrets.masked
    return read


def format_of(line: Mapping[str, Any]) -> Format | None:
    """The format that a line is of."""
    value = dict(line)
    return "claude_code" if is_claude_code(value) else "codex" if is_codex(value) else None


def _read_lines(
    file: BinaryIO,
    *,
    name: str,
    secrets: Secrets | None,
    helpers: Helpers | None,
    is_helper: bool,
    progress: Progress | None,
) -> Transcript:
    lines = Lines(file)
    first, rest, found = _begun(iter(lines))
    if found is None:
        raise SessionFileError(
            f"{name} is no session of Claude Code or Codex, nor an ATIF trajectory: none of its first lines is one of "
            "theirs. Choose a file of ~/.claude/projects or ~/.codex/sessions. Nothing was imported."
        )
    reader: Reader = CodexReader() if found == "codex" else ClaudeCodeReader(helpers, is_helper=is_helper)
    log = RecordedLog(secrets)
    try:
        unread = _take_all(reader, log, chain(first, rest), lines, progress)
        about = reader.about
    except BaseException:
        log.log.close()
        raise
    read = Transcript(format=found, session=about.session or Path(name).stem, title=about.title, log=log, unread=unread)
    read.left_out, read.encodings = reader.left_out, +lines.encodings
    return _checked(read, name, secrets)


def _take_all(reader: Reader, log: RecordedLog, lines: Iterator[Line], source: Lines, progress: Progress | None) -> int:
    unread, begun, is_cut = 0, False, False
    for line in lines:
        is_cut = line.value is None
        steps = None if line.value is None else reader.take(line.value)
        if steps is None:
            unread += 1
            if not begun:
                log.begin(None)
                begun = True
            log.keep_note("unread", line.text, line=line.number)
            continue
        for step in steps:
            if not begun:
                log.begin(step.at)
                begun = True
            log.take(step)
        if progress is not None and not line.number % 1000:
            progress(source.bytes)
    if not begun:
        log.begin(None)
    for step in reader.finish():
        log.take(step)
    log.finish(is_cut=is_cut)
    return unread


def _begun(lines: Iterator[Line]) -> tuple[list[Line], Iterator[Line], Format | None]:
    """The first lines up to one that tells the format, the others, and the format."""
    first: list[Line] = []
    for line in lines:
        first.append(line)
        if line.value is not None and (found := format_of(line.value)) is not None:
            return first, lines, found
        if len(first) >= _LOOKED_AT:
            break
    return first, lines, None


class HelperFiles:
    """The files of the sub-agents of Claude Code's sessions: each in its session's own folder, or beside it."""

    def __init__(self) -> None:
        self._found: dict[Path, dict[tuple[str, str], list[Path]]] = {}

    def of(self, session: Path) -> Helpers:
        """Those of the session in a file."""

        def lines(task: str) -> Iterator[dict[str, Any]] | None:
            for folder in (session.parent / session.stem / "subagents", session.parent):
                if files := self._in(folder).get((session.stem, task)):
                    return self._lines(files.pop(0))
            return None

        return lines

    def _in(self, folder: Path) -> dict[tuple[str, str], list[Path]]:
        """The files of a folder by session and task."""
        if folder not in self._found:
            found = self._found[folder] = {}
            for path in sorted(folder.glob(f"{AGENT_FILE}*.jsonl")):
                if path.resolve().parent == folder.resolve() and (first := self._first(path)) is not None:
                    task = text_of(object_in(first, "message").get("content"))
                    found.setdefault((str(first.get("sessionId")), task), []).append(path)
        return self._found[folder]

    def _first(self, path: Path) -> dict[str, Any] | None:
        try:
            return next(self._lines(path), None)
        except OSError:
            return None

    @staticmethod
    def _lines(path: Path) -> Iterator[dict[str, Any]]:
        with open_given(path) as file:
            yield from (line.value for line in Lines(file) if line.value is not None)
