"""Writes steps as the log that a run of this playground would have: runs, model calls, tool calls, sub-agents.

The log goes to a temporary file, masked, so that a session of any length needs little memory and no secret is kept.
"""

from __future__ import annotations

import tempfile
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic_core import to_json

from agents.event import Event, new_uuid
from agents.history.branches import TOOL_MARK
from agents.log import EVENT_KIND, LogEntry, TraceRecord
from agents.records import (
    AgentFinished,
    AgentStarted,
    JsonObject,
    ModelFinished,
    ModelStarted,
    RunFinished,
    RunStarted,
    SessionCreated,
    Tokens,
    ToolFinished,
    ToolStarted,
    TranscriptNote,
)
from agents.storage.sessions.incoming import as_title
from agents.transcripts.secrets import Secrets
from agents.transcripts.steps import Answered, Noted, Part, Returned, Said, Step, Stopped, branch_of_call

AGENT, SUB_AGENT = "CodingAgent", "SubAgent"
"""The agents of the pipeline that the sessions are shown with."""
_TYPE = {"type": "LlmAgent"}
_SHORT = 200
_LOOKED_AT = 8192
"""Characters of a text that its first line, or its beginning, is looked for in."""
_BLOCK = 64 * 1024
"""Bytes of entries that are masked and written at once."""
_NO_RESULT = "The file does not have its result."


class _Times(Mapping[int, float]):
    """When each entry was made, by its seq."""

    def __init__(self, times: array[float]) -> None:
        self._times = times

    def __getitem__(self, seq: int) -> float:
        return self._times[seq - 1]

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, len(self._times) + 1))

    def __len__(self) -> int:
        return len(self._times)


class SpooledLog(Collection[LogEntry]):
    """A log in a temporary file, which is gone when it is closed.

    Args:
        secrets: Masks the entries before they are written; None masks nothing.

    Attributes:
        events: How many events it has.
    """

    def __init__(self, secrets: Secrets | None = None) -> None:
        self._secrets = secrets
        self._block: list[bytes] = []
        self._size = 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by `close`
        self._times = array("d")
        self.events = 0

    @property
    def timestamps(self) -> Mapping[int, float]:
        """When each entry was made, by its seq; in seconds since the epoch."""
        return _Times(self._times)

    def add(self, kind: str, at: float, body: Mapping[str, Any]) -> int:
        """Adds an entry; returns its seq."""
        line = b"%s %s\n" % (kind.encode(), to_json(body, inf_nan_mode="null"))
        self._block.append(line)
        self._size += len(line)
        if self._size >= _BLOCK:
            self.write()
        self._times.append(at)
        self.events += kind == EVENT_KIND
        return len(self._times)

    def write(self) -> None:
        """Masks and writes what was added."""
        block = b"".join(self._block)
        self._file.write(block if self._secrets is None else self._secrets.mask(block))
        self._block.clear()
        self._size = 0

    def __iter__(self) -> Iterator[LogEntry]:
        self.write()
        self._file.seek(0)
        for seq, line in enumerate(self._file, 1):
            kind, _, body = line.decode().partition(" ")
            yield LogEntry(seq, kind, body.rstrip("\n"))

    def __len__(self) -> int:
        return len(self._times)

    def __contains__(self, entry: object) -> bool:
        return any(each == entry for each in self)

    def close(self) -> None:
        """Removes the file."""
        self._file.close()


class _Call:
    """A tool call without a result yet."""

    __slots__ = ("at", "lane", "name")

    def __init__(self, name: str, at: float, lane: str) -> None:
        self.name, self.at, self.lane = name, at, lane


class RecordedLog:
    """The log of one session.

    Args:
        secrets: Masks what is written, and counts it; None masks nothing.

    Attributes:
        log: The log so far.
        title: The first message.
        answers: How many answers of models it has.
        ended_at: The time of the newest step.
    """

    def __init__(self, secrets: Secrets | None = None) -> None:
        self.log = SpooledLog(secrets)
        self._mask = str if secrets is None else Secrets().mask_text  # counts nothing: the whole text is written, too
        self.title = ""
        self.answers = 0
        self.ended_at = 0.0
        self._run = ""
        self._began = 0.0
        self._calls = 0
        self._tokens = Tokens(input=0, output=0)
        self._status, self._error = "completed", ""
        self._is_answered = True
        self._open: dict[str, _Call] = {}
        self._branches: dict[str, str] = {}
        self._asked: dict[str, float] = {}
        self._turns: Counter[str] = Counter()

    def begin(self, at: float | None) -> None:
        """Writes how the session was created."""
        self.ended_at = at or self.ended_at
        self.add_record(SessionCreated.kind, {"state": {}}, agent="")

    def take(self, step: Step) -> None:
        """Writes a step."""
        if isinstance(step, Said) and not step.lane:
            self._end_run()  # at the time of its last step, not of the next message
        if step.at is not None:
            self.ended_at = step.at
        match step:
            case Said():
                self._said(step)
            case Answered():
                self._answered(step)
            case Returned():
                self._returned(step)
            case Noted():
                self.keep_note(step.note, step.text, lane=step.lane)
            case Stopped():
                self._status = "stopped"

    def keep_note(self, note: str, text: str, *, line: int = 0, lane: str = "") -> None:
        """Writes what is no step; see `TranscriptNote`."""
        branch = self._branches.get(lane)
        self.add_record(TranscriptNote.kind, {"note": note, "text": text, "line": line}, branch=branch)

    def finish(self, *, is_cut: bool = False) -> None:
        """Ends the last run. It is interrupted where the file is cut off, or its last call has no result."""
        if self._run and self._status == "completed" and (is_cut or self._open or not self._is_answered):
            self._status, self._error = "interrupted", "The file ends here, in the middle of the run."
        self._end_run()
        self.log.write()

    # -- steps

    def _said(self, step: Said) -> None:
        if step.lane:
            branch = self._enter(step.lane)
        else:
            self._begin_run()
            branch = None
        self._event("user", step.parts, role="user", branch=branch)
        self.add_record(AgentStarted.kind, _TYPE, branch=branch)
        if not step.lane:
            text = next((part["text"] for part in step.parts if part.get("text")), "")
            self.title = self.title or as_title(self._mask(text[:_LOOKED_AT]))
            self._is_answered = False

    def _answered(self, step: Answered) -> None:
        branch = self._place(step.lane)
        self.answers += 1
        self._calls += 1
        asked = self._asked.get(step.lane, self.ended_at)
        calls = [part["function_call"] for part in step.parts if "function_call" in part]
        usage = step.usage or Tokens(input=0, output=0)
        name = {"call": self._calls, "model": step.model}
        contents = {"select": "default", "until": len(self.log)}
        self._turns[step.lane] += 1
        sent = {**name, "turn": self._turns[step.lane], "contents": contents}
        self.add_record(ModelStarted.kind, sent, branch=branch, timestamp=asked)
        stop = "error" if step.error else "tool_use" if calls else "end_turn"
        failed = {"error": self._mask(step.error[:_LOOKED_AT])[:_SHORT]} if step.error else {"usage": usage}
        took = {"duration": max(0.0, self.ended_at - asked), "stop_reason": stop}
        self.add_record(ModelFinished.kind, {**name, **took, **failed}, branch=branch)
        more: dict[str, Any] = {"stop_reason": stop}
        if step.model:
            more["model_version"] = step.model
        if step.cost is not None:
            more["custom_metadata"] = {"cost_usd": step.cost}
        if step.usage:
            more["usage_metadata"] = _usage_metadata(step.usage)
        if step.error:
            more |= {"error_code": "MODEL_ERROR", "error_message": step.error}
            self._status, self._error = ("failed", step.error) if not step.lane else (self._status, self._error)
        elif not step.lane:
            self._status, self._error, self._is_answered = "completed", "", not calls
        self._event(self._agent(step.lane), step.parts, role="model", branch=branch, **more)
        self._tokens["input"] = self._tokens.get("input", 0) + usage.get("input", 0)
        self._tokens["output"] = self._tokens.get("output", 0) + usage.get("output", 0) + usage.get("thoughts", 0)
        for call in calls:
            self._open[call["id"]] = _Call(call["name"], self.ended_at, step.lane)
            self.add_record(ToolStarted.kind, {"tool": call["name"], "call_id": call["id"]}, branch=branch)

    def _returned(self, step: Returned) -> None:
        branch = self._place(step.lane)
        self._leave(step.call_id)
        call = self._open.pop(step.call_id, None)
        name = "tool" if call is None else call.name
        if call is not None:
            error = {"error": _first_line(self._mask(step.text[:_LOOKED_AT]))} if step.error else {}
            about = {"tool": name, "call_id": step.call_id, "duration": max(0.0, self.ended_at - call.at)}
            self.add_record(ToolFinished.kind, {**about, **error}, branch=branch)
        response = {"error" if step.error else "result": step.text}
        part = {"function_response": {"id": step.call_id, "name": name, "response": response}}
        self._event(self._agent(step.lane), [part, *step.more], role="user", branch=branch)
        if not step.lane:
            self._is_answered = False

    # -- runs and branches

    def _begin_run(self) -> None:
        self._run, self._began = f"e-{new_uuid()}", self.ended_at
        self._calls, self._tokens, self._status, self._error = 0, Tokens(input=0, output=0), "completed", ""
        self.add_record(RunStarted.kind, {"shared": {}})

    def _end_run(self) -> None:
        if not self._run:
            return
        for call_id, call in list(self._open.items()):
            branch = self._branches.get(call.lane)
            about = {"tool": call.name, "call_id": call_id, "error": _NO_RESULT}
            self.add_record(ToolFinished.kind, about, branch=branch)
        self._open.clear()
        for lane in list(self._branches):
            self._leave(lane)
        outcome = {"completed": "ok", "failed": "error"}.get(self._status, "cancelled")
        self.add_record(AgentFinished.kind, {"outcome": outcome})
        failed = {"error_code": self._status.upper(), "error_message": self._error} if self._error else {}
        spent = {"calls": self._calls, "tokens": self._tokens, "duration": max(0.0, self.ended_at - self._began)}
        self.add_record(RunFinished.kind, {"status": self._status, **spent, **failed})
        self._run = ""
        self._asked.clear()
        self._turns.clear()

    def _place(self, lane: str) -> str | None:
        """The branch of a lane. What comes before the first message, or after the end of a run, begins a run of its own."""
        if not self._run:
            self._begin_run()
            self.add_record(AgentStarted.kind, _TYPE)
        if lane and lane not in self._branches:
            self._enter(lane)
            self.add_record(AgentStarted.kind, _TYPE, branch=self._branches[lane])
        return self._branches.get(lane)

    def _enter(self, lane: str) -> str:
        """Begins the branch of a sub-agent: below that of the call that it works for."""
        if not self._run:
            self._place("")
        call = self._open.get(lane)
        above = self._branches.get(call.lane) if call is not None else None
        name = (call.name if call is not None else SUB_AGENT).replace(".", "_").replace(TOOL_MARK, "_")
        branch = self._branches[lane] = branch_of_call(above, name, lane)
        return branch

    def _leave(self, lane: str) -> None:
        if branch := self._branches.pop(lane, None):
            self.add_record(AgentFinished.kind, {"outcome": "ok"}, branch=branch)
            self._asked.pop(lane, None)

    def _agent(self, lane: str) -> str:
        return SUB_AGENT if lane else AGENT

    # -- entries

    def add_record(
        self,
        kind: str,
        data: JsonObject,
        *,
        branch: str | None = None,
        timestamp: float | None = None,
        agent: str | None = None,
    ) -> None:
        """Writes a trace record of the run."""
        name = agent if agent is not None else SUB_AGENT if branch else AGENT
        at = self.ended_at if timestamp is None else timestamp
        self.log.add(kind, at, TraceRecord(kind, self._run, name, branch, data, at).fields())

    def _event(self, author: str, parts: list[Part], *, role: str, branch: str | None, **more: Any) -> None:
        body: dict[str, Any] = {"content": {"parts": parts, "role": role}} if parts else {}
        body |= more
        body |= {"id": Event.new_id(), "invocation_id": self._run, "author": author}
        if branch:
            body["branch"] = branch
        body["timestamp"] = self.ended_at
        self.log.add(EVENT_KIND, self.ended_at, body)
        lane = "" if branch is None else next((lane for lane, each in self._branches.items() if each == branch), "")
        self._asked[lane] = self.ended_at


def _usage_metadata(usage: Tokens) -> dict[str, int]:
    found = {
        "prompt_token_count": usage.get("input", 0),
        "candidates_token_count": usage.get("output", 0),
        "total_token_count": usage.get("input", 0) + usage.get("output", 0) + usage.get("thoughts", 0),
    }
    if thoughts := usage.get("thoughts"):
        found["thoughts_token_count"] = thoughts
    if cached := usage.get("cached"):
        found["cached_content_token_count"] = cached
    return found


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "error")[:_SHORT]
