"""Finds failures and their repairs in a session, by rules that are stated in `RULES`. No model is asked.

A fold over the log of any session: messages, tool calls and their results are enough.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from agents.log import EVENT_KIND, LogEntry
from agents.transcripts.commands import aims, command_of, essence, has_failures, is_test, pattern_of, problem_in

Kind = Literal["command", "tests", "tool", "undone", "correction"]
RULES: Mapping[Kind, str] = {
    "command": "A command failed, and a later one with the same aim, but written otherwise, worked.",
    "tests": "Tests failed, files were edited, and the same tests passed.",
    "tool": "A tool returned an error, and a later call of it for the same file or purpose worked.",
    "undone": "An edit was undone by a later one, or by git.",
    "correction": "After the agent had acted, the user's message began with a correction, such as no, don't, instead.",
}
"""What counts as a failure and its repair."""

_RECENT = 30
"""Most failures, and most edits of a file, that are remembered."""
_LONGEST = 400
_CORRECTION = re.compile(
    r"(?:no|nope|stop|wrong|actually|instead|never|revert|undo|nein|falsch|stattdessen|non|pas)(?![\w'])|いや|違|ちが|やめて"
    r"|(?:please |bitte )?(?:do not|don'?t|nicht)\b|that'?s (?:not|wrong)|(?:this|that|it) (?:is|was) (?:not|wrong)"
    r"|not what\b|i (?:said|asked|meant|told)\b|you (?:should|forgot|missed|broke|must)\b"
    r"|(?:always )?use \S{1,60} (?:instead|not)\b",
    re.IGNORECASE,
)
_USE = re.compile(r"\buse `?([^\s`]{1,60})", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_UNDOES = re.compile(r"\bgit (?:checkout (?:--|HEAD)|restore|revert|reset --hard|stash)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A failure and what repaired it.

    Attributes:
        kind: The rule that found it, see `RULES`.
        tried: What failed: a command, a tool with its file, the file of an edit, or what the agent was doing.
        problem: What went wrong, in the words of the output, or of the user.
        repair: What worked.
        failed_at: `seq` of the event with the failure.
        repaired_at: `seq` of the event with the repair.
        request: The user's last message before.
    """

    kind: Kind
    tried: str
    problem: str
    repair: str
    failed_at: int
    repaired_at: int
    request: str = ""

    @property
    def wanted(self) -> str:
        """What the user wants to be used, where a correction says it; "" where it does not."""
        found = _USE.search(self.problem) if self.kind == "correction" else None
        return found[1].rstrip(".,;:!") if found else ""

    @property
    def pattern(self) -> tuple[str, str, str]:
        """What is the same each time that this goes wrong."""
        if self.kind == "correction":
            return self.kind, "", self.wanted or " ".join(sorted(_words(self.problem)))
        return self.kind, essence(self.tried) if self.kind != "undone" else "", pattern_of(self.problem)


@dataclass(slots=True)
class _Call:
    name: str
    arguments: dict[str, Any]
    seq: int


@dataclass(slots=True)
class _Failure:
    kind: Kind
    tried: str
    problem: str
    seq: int
    edits: int
    purpose: frozenset[str] = field(default_factory=frozenset[str])


class RepairFold:
    """What the entries of a session's log say so far.

    Attributes:
        found: The failures that were repaired, in order.
    """

    def __init__(self) -> None:
        self.found: list[Repair] = []
        self._calls: dict[str, _Call] = {}
        self._failures: deque[_Failure] = deque(maxlen=_RECENT)
        self._edits: dict[str, deque[tuple[str, str, int]]] = {}
        self._edited: list[str] = []
        self._request = ""
        self._last_answer = 0

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Takes the next entries."""
        for entry in entries:
            if entry.kind == EVENT_KIND:
                self._take(entry.seq, entry.fields())

    def _take(self, seq: int, event: Mapping[str, Any]) -> None:
        content = cast("dict[str, Any]", event.get("content") or {})
        parts = cast("list[dict[str, Any]]", content.get("parts") or [])
        if event.get("author") == "user":
            if not event.get("branch"):
                self._message(seq, "".join(str(part.get("text") or "") for part in parts))
            return
        for part in parts:
            if call := part.get("function_call"):
                self._calls[str(call.get("id"))] = _Call(str(call.get("name")), dict(call.get("args") or {}), seq)
            elif (returned := part.get("function_response")) and (made := self._calls.pop(str(returned.get("id")), None)):
                self._result(seq, made, dict(returned.get("response") or {}))
        self._last_answer = seq

    def _message(self, seq: int, text: str) -> None:
        said = " ".join(text[:_LONGEST].split())
        if self._last_answer and _CORRECTION.match(said):
            self._add("correction", self._request or "the request", said, said, self._last_answer, seq)
        self._request = said

    def _result(self, seq: int, call: _Call, response: dict[str, Any]) -> None:
        output = str(response.get("error", response.get("result", "")) or "")
        failed = "error" in response
        if command := command_of(call.arguments):
            self._command(seq, command, output, failed=failed)
            return
        path, old, new = _edit_of(call.arguments)
        where = path or str(call.arguments.get("pattern") or call.arguments.get("query") or "")
        purpose = frozenset({call.name, path})
        if failed:
            self._fail("tool", f"{call.name} {where}".strip(), problem_in(output), seq, purpose)
            return
        self._repaired("tool", purpose, f"{call.name} {where}".strip(), seq)
        if path and (old or new):
            self._edit(seq, path, old, new)

    def _command(self, seq: int, command: str, output: str, *, failed: bool) -> None:
        is_red = is_test(command) and has_failures(output)
        if is_red or not failed:
            self._repaired("command", aims(command), command, seq, ran=is_red)
        if is_red or failed:
            self._fail("tests" if is_red else "command", command, problem_in(output), seq, aims(command))
            return
        if _UNDOES.search(command) and self._edited:
            tried = self._edited[-1]
            self._add("undone", tried, f"The edit of {tried} was undone.", command, self._edits[tried][-1][2], seq)
            self._edited.clear()

    def _edit(self, seq: int, path: str, old: str, new: str) -> None:
        edits = self._edits.setdefault(path, deque(maxlen=_RECENT))
        undone = next((one for one in edits if one[:2] == (new, old) and old != new), None)
        if undone is not None:
            self._add("undone", path, f"The edit of {path} was undone.", new, undone[2], seq)
            edits.remove(undone)
        else:
            edits.append((old, new, seq))
            self._edited.append(path)

    def _fail(self, kind: Kind, tried: str, problem: str, seq: int, purpose: frozenset[str]) -> None:
        self._failures.append(_Failure(kind, tried, problem, seq, len(self._edited), purpose))

    def _repaired(self, kind: Kind, purpose: frozenset[str], repair: str, seq: int, *, ran: bool = False) -> None:
        """Ends the failures that a call with the same purpose repairs; the first of them is told.

        Args:
            kind: "command" or "tool".
            purpose: What the call is for.
            repair: The call.
            seq: Its place.
            ran: Whether it is tests that failed: that they ran repairs a command that did not.
        """
        kinds = {kind} if kind == "tool" or ran else {"command", "tests"}
        ended = [one for one in self._failures if one.purpose & purpose and one.kind in kinds]
        if kind == "tool":
            ended = [one for one in ended if one.purpose == purpose]
        if not ended:
            return
        for one in ended:
            self._failures.remove(one)
        first = ended[0]
        is_written_otherwise = essence(first.tried) != essence(repair)
        if first.kind == "tests" and not is_written_otherwise:
            if len(self._edited) > first.edits:
                last = self._edited[-1]
                self._add("tests", first.tried, first.problem, self._edits[last][-1][1], first.seq, seq)
        elif first.kind == "tool" or is_written_otherwise:
            self._add("command" if kind == "command" else "tool", first.tried, first.problem, repair, first.seq, seq)

    def _add(self, kind: Kind, tried: str, problem: str, repair: str, failed_at: int, repaired_at: int) -> None:
        self.found.append(
            Repair(
                kind=kind,
                tried=tried[:_LONGEST],
                problem=problem[:_LONGEST],
                repair=repair[:_LONGEST],
                failed_at=failed_at,
                repaired_at=repaired_at,
                request=self._request,
            )
        )


def find_repairs(entries: Iterable[LogEntry]) -> list[Repair]:
    """The failures of a session that were repaired, in order.

    Args:
        entries: Its log.
    """
    fold = RepairFold()
    fold.add(entries)
    return fold.found


def _edit_of(arguments: Mapping[str, Any]) -> tuple[str, str, str]:
    """File, old and new text of a call that edits a file; "" for what it does not have."""

    def first(*names: str) -> str:
        return next((found for name in names if isinstance(found := arguments.get(name), str)), "")

    return (
        first("file_path", "path", "notebook_path", "filename"),
        first("old_string", "old_str", "old_text"),
        first("new_string", "new_str", "new_text", "content"),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if len(word) > 2)  # noqa: PLR2004  a, to, it
