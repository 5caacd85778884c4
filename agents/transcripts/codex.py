"""Reads the session files of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

Each line has a time, a type and a payload; the first one is `session_meta`. What the model was sent and answered are
`response_item`s. Much of it is said again as `event_msg`, of which only what stands nowhere else is read: tokens,
interruptions and errors. Files before September 2025 have the items themselves as lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from agents.records import Tokens
from agents.transcripts.fields import (
    arguments_of,
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

_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS = frozenset({
    "message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
    "local_shell_call", "web_search_call", "tool_search_call", "tool_search_output", "image_generation_call",
    "ghost_snapshot", "compaction", "context_compaction", "other",
})  # fmt: skip
_CONTEXT = ("<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "# AGENTS.md")
"""How messages begin that the program writes in the user's name."""
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (\d{1,3})")
_HEAD = 300
"""Characters of a result that may say how the command ended."""


def is_codex(value: dict[str, Any]) -> bool:
    """Whether a line is one of these files."""
    kind = value.get("type")
    if kind in _TYPES:
        return isinstance(value.get("payload"), dict)
    is_old_head = "id" in value and "timestamp" in value and "instructions" in value and kind is None
    return is_old_head or (kind in _ITEMS and not {"role", "call_id", "summary"}.isdisjoint(value))


class CodexReader:
    """See `agents.transcripts.steps.Reader`.

    What a line says is held back until the next answer begins: its tokens are told after it.
    """

    def __init__(self) -> None:
        self.about = About()
        self.left_out: Counter[str] = Counter()
        self._model = ""
        self._held: list[Step] = []
        self._answer: Answered | None = None
        self._may_add = False
        self._total = 0

    def take(self, value: dict[str, Any]) -> Iterable[Step] | None:
        """See `Reader`."""
        at, kind = time_in(value), value.get("type")
        payload = object_in(value, "payload")
        match kind:
            case "session_meta":
                self.about.session = self.about.session or text_in(payload, "id")
            case "turn_context":
                self._model = text_in(payload, "model") or self._model
            case "event_msg":
                return self._event(payload, at)
            case "compacted":
                return self._give(Noted(at, "summary", text_in(payload, "message")))
            case "response_item":
                return self._item(payload, at)
            case None if "instructions" in value and "id" in value:
                self.about.session = self.about.session or text_in(value, "id")
            case None if "record_type" in value:
                pass
            case _:
                return self._item(value, at) if kind in _ITEMS else None
        self.left_out[str(kind or "head")] += 1
        return ()

    def finish(self) -> Iterable[Step]:
        """See `Reader`."""
        return self._released()

    # -- lines

    def _item(self, item: dict[str, Any], at: float | None) -> Iterable[Step] | None:  # noqa: PLR0911  one a kind
        call_id = text_in(item, "call_id", "id")
        match item.get("type"):
            case "message":
                return self._message(item, at)
            case "reasoning":
                texts = [text_in(each, "text") for each in (*objects_in(item, "summary"), *objects_in(item, "content"))]
                return self._add([{"text": text, "thought": True} for text in texts if text], at)
            case "function_call":
                return self._add([call_part(call_id, text_in(item, "name"), item.get("arguments"))], at)
            case "custom_tool_call":
                return self._add([call_part(call_id, text_in(item, "name"), {"input": as_text(item.get("input"))})], at)
            case "local_shell_call":
                return self._add([call_part(call_id, "local_shell", object_in(item, "action"))], at)
            case "web_search_call" | "tool_search_call" | "image_generation_call" as kind:
                return self._add([call_part(call_id, kind.removesuffix("_call"), object_in(item, "action"))], at)
            case "function_call_output" | "custom_tool_call_output" | "tool_search_output":
                self._may_add = False
                self._held.append(_result(item, at))
                return ()
            case "ghost_snapshot" | "compaction" | "context_compaction" | "other" as kind:
                self.left_out[kind] += 1
                return ()
            case _:
                return None

    def _message(self, item: dict[str, Any], at: float | None) -> Iterable[Step]:
        role, parts = item.get("role"), list(_parts_of(item))
        text = "".join(text_in(part, "text") for part in parts)
        if role == "assistant":
            return self._add(parts, at)
        if role != "user" or text.lstrip().startswith(_CONTEXT):
            return self._give(Noted(at, "context", text))
        return self._give(Said(at, parts))

    def _event(self, event: dict[str, Any], at: float | None) -> Iterable[Step]:
        match kind := text_in(event, "type"):
            case "token_count":
                self._take_tokens(object_in(event, "info"))
            case "turn_aborted":
                return self._give(Stopped(at))
            case "error" | "stream_error":
                return self._give(Answered(at, [], self._model, error=text_in(event, "message") or kind))
            case _:
                self.left_out[f"event_msg {kind}".strip()] += 1
        return ()

    def _take_tokens(self, info: dict[str, Any]) -> None:
        """Takes the tokens of the last answer, unless they were told before: they are told again with every limit."""
        total = count_in(object_in(info, "total_token_usage"), "total_tokens")
        last = object_in(info, "last_token_usage")
        if self._answer is None or not last or (total and total == self._total):
            return
        self._total = total
        thoughts = count_in(last, "reasoning_output_tokens")
        self._answer.usage = Tokens(
            input=count_in(last, "input_tokens"),
            output=max(0, count_in(last, "output_tokens") - thoughts),
            thoughts=thoughts,
            cached=count_in(last, "cached_input_tokens"),
        )
        self._may_add = False

    # -- answers

    def _add(self, parts: list[Part], at: float | None) -> Iterable[Step]:
        """Adds parts to the answer under way, or begins the next one."""
        if not parts:
            return ()
        if self._may_add and self._answer is not None:
            self._answer.parts += parts
            return ()
        released = self._released()
        self._answer, self._may_add = Answered(at, parts, self._model), True
        self._held.append(self._answer)
        return released

    def _give(self, step: Step) -> list[Step]:
        released = [*self._released(), step]
        self._answer, self._may_add = None, False
        return released

    def _released(self) -> list[Step]:
        held, self._held = self._held, []
        return held


def _parts_of(item: dict[str, Any]) -> Iterator[Part]:
    if isinstance(content := item.get("content"), str):
        yield {"text": content}
    for block in objects_in(item, "content"):
        if block.get("type") in ("input_text", "output_text", "text"):
            yield {"text": as_text(block.get("text"))}
        else:
            yield _picture(block) or {"text": f"({text_in(block, 'type') or 'a part'} that is not shown)"}


def _picture(block: dict[str, Any]) -> Part | None:
    """A picture of a message, if it stands in the file: nothing is fetched."""
    head, comma, data = text_in(block, "image_url").partition(";base64,")
    return picture_part(head.removeprefix("data:"), data) if comma else None


def _result(item: dict[str, Any], at: float | None) -> Returned:
    """The result of a tool. That a command failed is told by its exit code, which stands in the result's text."""
    output, blocks = item.get("output"), objects_in(item, "output")
    told: dict[str, Any] = {}
    if isinstance(output, str):
        told = arguments_of(output) if output.startswith("{") else {}
        text = as_text(told["output"]) if "output" in told else output
    elif blocks:
        text = "\n".join(text_in(block, "text") for block in blocks)
    else:
        told = object_in(item, "output")
        text = as_text(told.get("content", output))
    code: Any = object_in(told, "metadata").get("exit_code")
    if code is None and (found := _EXIT.search(text, 0, _HEAD)):
        code = int(found[1])
    is_error = code not in (None, 0) or told.get("success") is False
    more = [picture for block in blocks if (picture := _picture(block)) is not None]
    return Returned(at, text_in(item, "call_id", "id"), text, is_error, more)
