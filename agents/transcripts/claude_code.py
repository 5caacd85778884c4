"""Reads the session files of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`.

Each line is a message or something beside it. One answer of the model comes as several lines with the same message id, each
with the usage of the whole. What a sub-agent did stands in a file of its own, `<session>/subagents/agent-<id>.jsonl` or
`agent-<id>.jsonl` beside the session; in other versions in the session's own file, as sidechain or as progress of the call.
The user can go back in a session: lines name the line before them, and the next message then names an earlier one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agents.records import Tokens
from agents.transcripts.fields import (
    amount_in,
    as_text,
    call_part,
    count_in,
    object_in,
    objects_in,
    picture_part,
    text_in,
    time_in,
)
from agents.transcripts.steps import About, Answered, Noted, Part, Returned, Said, Step, Stopped

_LEFT_OUT = frozenset({
    "agent-name", "agent-color", "attachment", "bridge-session", "file-history-snapshot", "last-prompt", "mode",
    "permission-mode", "pr-link", "queue-operation", "saved_hook_context", "tag", "task-summary", "worktree-state",
})  # fmt: skip
_TITLES = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}
_INTERRUPTED = "[Request interrupted by user"
_ENDS_OF_TURNS = 4
"""Lines at the end of a turn that the next message may come after; the last ones are often no messages."""

Helpers = Callable[[str], Iterable[dict[str, Any]] | None]
"""Gives the lines of the sub-agent with a task; None if there are none."""


def is_claude_code(value: dict[str, Any]) -> bool:
    """Whether a line is one of these files."""
    kind = value.get("type")
    return (kind in ("user", "assistant", "system") and ("sessionId" in value or "uuid" in value)) or (
        kind in _TITLES and ("leafUuid" in value or "sessionId" in value)
    ) or (kind in _LEFT_OUT and ("sessionId" in value or "messageId" in value))  # fmt: skip


class ClaudeCodeReader:
    """See `agents.transcripts.steps.Reader`.

    Args:
        helpers: The files of sub-agents.
        is_helper: Whether the session is a sub-agent's own file, all of whose lines are marked as sidechain.
    """

    def __init__(self, helpers: Helpers | None = None, *, is_helper: bool = False) -> None:
        self.about = About()
        self.left_out: Counter[str] = Counter()
        self._helpers = helpers
        self._is_helper = is_helper
        self._answer: tuple[str, Answered] | None = None
        self._told: set[str] = set()
        self._tasks: dict[str, str] = {}
        self._lanes: dict[str, str] = {}
        self._read: set[str] = set()
        self._turn: list[str] = []
        self._here: set[str] = set()
        self._turns: dict[str, int] = {}
        self._number = 0

    def take(self, value: dict[str, Any]) -> Iterable[Step] | None:
        """See `Reader`."""
        kind = value.get("type")
        if not self.about.session:
            self.about.session = text_in(value, "sessionId")
        if kind in _TITLES:
            self.about.title = text_in(value, _TITLES[kind]) or self.about.title
            self.left_out[kind] += 1
            return ()
        if kind in _LEFT_OUT:
            self.left_out[kind] += 1
            return ()
        if kind == "progress":
            return self._progress(value)
        if kind == "system":
            return self._system(value)
        message = value.get("message")
        if kind not in ("user", "assistant") or not isinstance(message, dict):
            return None
        return self._message(value, self._lane_of(value))

    def finish(self) -> Iterable[Step]:
        """See `Reader`."""
        return self._flushed()

    # -- lines

    def _message(self, value: dict[str, Any], lane: str) -> Iterator[Step]:
        uuid = text_in(value, "uuid")
        if value["type"] == "assistant":
            yield from self._assistant(value, lane)
        else:
            yield from self._user(value, lane)
        if lane and uuid:
            self._lanes[uuid] = lane
        elif uuid:
            self._turn.append(uuid)
            self._here.add(uuid)

    def _assistant(self, value: dict[str, Any], lane: str) -> Iterator[Step]:
        message = object_in(value, "message")
        name, at = text_in(message, "id"), time_in(value)
        if value.get("isApiErrorMessage"):
            yield from self._flushed()
            yield Answered(at, [], error=text_of(message.get("content")) or "The model could not be asked.", lane=lane)
            return
        parts = list(_answer_parts(message))
        usage = _usage(object_in(message, "usage"))
        if self._answer is not None and name and self._answer[0] == name:
            answer = self._answer[1]
            answer.parts += parts
            answer.usage = usage or answer.usage
        else:
            yield from self._flushed()
            if name in self._told:
                usage = Tokens()
            cost = amount_in(value, "costUSD")
            self._answer = (name, Answered(at, parts, text_in(message, "model"), usage, cost, lane=lane))
        for part in parts:
            if call := part.get("function_call"):
                yield from self._delegated(call)

    def _delegated(self, call: dict[str, Any]) -> Iterator[Step]:
        """The work of a sub-agent, as soon as it is called: it stands in a file of its own, or comes in lines after this."""
        task = text_in(call["args"], "prompt")
        if not task or call["id"] in self._read:
            return
        self._tasks[task] = call["id"]
        lines = None if self._helpers is None else self._helpers(task)
        if lines is None:
            return
        self._read.add(call["id"])
        yield from self._flushed()
        for line in lines:
            if line.get("type") in ("user", "assistant") and isinstance(line.get("message"), dict):
                yield from self._message(line, call["id"])
        yield from self._flushed()

    def _user(self, value: dict[str, Any], lane: str) -> Iterator[Step]:
        yield from self._flushed()
        at, message = time_in(value), object_in(value, "message")
        content = message.get("content")
        if isinstance(content, str):
            blocks: list[dict[str, Any]] = [{"type": "text", "text": content}]
        else:
            blocks = objects_in(message, "content")
        parts: list[Part] = []
        for block in blocks:
            if block.get("type") == "tool_result":
                yield _result(block, at, lane)
            elif (part := _part_of(block)) is not None:
                parts.append(part)
        if not parts:
            return
        text = "".join(text_in(part, "text") for part in parts)
        if value.get("isCompactSummary"):
            yield Noted(at, "summary", text, lane)
        elif value.get("isMeta") or text.startswith(("<local-command-", "Caveat: The messages below")):
            yield Noted(at, "context", text, lane)
        elif text.startswith(_INTERRUPTED):
            yield Stopped(at)
        else:
            if not lane:
                yield from self._gone_back(value, at)
            yield Said(at, _command(text) or parts, lane)

    def _gone_back(self, value: dict[str, Any], at: float | None) -> Iterator[Step]:
        """Notes that the user went back, if the message does not come after the last turn but after one before."""
        before = value.get("parentUuid")
        kept = 0 if before is None else self._turns.get(str(before))
        if kept is not None and kept < self._number and before not in self._here:
            yield Noted(at, "went_back", f"to after message {kept}" if kept else "to the beginning")
        for uuid in self._turn[-_ENDS_OF_TURNS:]:
            self._turns[uuid] = self._number
        self._number += 1
        self._turn, self._here = [], set()

    def _system(self, value: dict[str, Any]) -> Iterable[Step]:
        uuid, at = text_in(value, "uuid"), time_in(value)
        if uuid:
            self._turn.append(uuid)
            self._here.add(uuid)
        subtype, text = text_in(value, "subtype"), as_text(value.get("content"))
        if subtype == "compact_boundary":
            return (*self._flushed(), Noted(at, "compacted", text))
        if subtype == "api_error":
            return (*self._flushed(), Noted(at, "error", text or as_text(value.get("error"))))
        self.left_out[f"system {subtype}".strip()] += 1
        return ()

    def _progress(self, value: dict[str, Any]) -> Iterable[Step]:
        data = object_in(value, "data")
        inner = object_in(data, "message")
        lane = text_in(value, "parentToolUseID", "parentToolUseId")
        if uuid := text_in(value, "uuid"):
            self._here.add(uuid)
        if inner.get("type") not in ("user", "assistant") or not isinstance(inner.get("message"), dict) or not lane:
            self.left_out["progress"] += 1
            return ()
        if lane in self._read:
            return ()
        return self._message({"timestamp": value.get("timestamp"), **inner}, lane)

    def _lane_of(self, value: dict[str, Any]) -> str:
        if self._is_helper or not value.get("isSidechain"):
            return ""
        before = str(value.get("parentUuid"))
        if lane := self._lanes.get(before):
            return lane
        task = text_of(object_in(value, "message").get("content"))
        return self._tasks.get(task) or text_in(value, "agentId") or f"sidechain {text_in(value, 'uuid')}"

    def _flushed(self) -> list[Step]:
        if self._answer is None:
            return []
        name, answer = self._answer
        self._answer = None
        self._told.add(name)
        if len(self._told) > _ENDS_OF_TURNS:  # lines of one answer stand near each other
            self._told = {name}
        return [answer]


def _answer_parts(message: dict[str, Any]) -> Iterator[Part]:
    content = message.get("content")
    if isinstance(content, str):
        yield {"text": content}
    for block in objects_in(message, "content"):
        match block.get("type"):
            case "text":
                yield {"text": as_text(block.get("text"))}
            case "thinking":
                if thought := text_in(block, "thinking"):
                    yield {"text": thought, "thought": True}
            case "redacted_thinking":
                yield {"text": "(hidden by the provider)", "thought": True}
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                yield call_part(text_in(block, "id"), text_in(block, "name"), block.get("input"))
            case _:
                yield {"text": as_text(block)}


def _part_of(block: dict[str, Any]) -> Part | None:
    kind, source = block.get("type"), object_in(block, "source")
    if kind == "text":
        return {"text": text} if (text := as_text(block.get("text"))) else None
    if kind == "image" and (picture := picture_part(text_in(source, "media_type"), source.get("data"))) is not None:
        return picture
    return {"text": f"({kind or 'a part'} that is not shown)"}


def _result(block: dict[str, Any], at: float | None, lane: str) -> Returned:
    content = block.get("content")
    texts = [content] if isinstance(content, str) else []
    more: list[Part] = []
    for item in objects_in(block, "content"):
        part = _part_of(item) or {"text": ""}
        if "text" in part:
            texts.append(part["text"])
        else:
            more.append(part)
    is_error = block.get("is_error") is True
    return Returned(at, text_in(block, "tool_use_id"), "\n".join(texts), is_error, more, lane)


def _usage(usage: dict[str, Any]) -> Tokens:
    if not usage:
        return Tokens()
    return Tokens(
        input=count_in(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
        output=count_in(usage, "output_tokens"),
        cached=count_in(usage, "cache_read_input_tokens"),
    )


def text_of(content: Any) -> str:
    """The text of a message's content."""
    if isinstance(content, str):
        return content
    return "".join(text_in(block, "text") for block in objects_in({"content": content}, "content"))


def _command(text: str) -> list[Part] | None:
    """A slash command as the user typed it."""
    name, arguments = _between(text, "command-name"), _between(text, "command-args")
    return [{"text": f"{name} {arguments}".strip()}] if name else None


def _between(text: str, tag: str) -> str:
    _, opened, rest = text.partition(f"<{tag}>")
    found, closed, _ = rest.partition(f"</{tag}>")
    return found.strip() if opened and closed else ""
