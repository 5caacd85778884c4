"""The content of messages, calls and results in the JSON of OpenTelemetry's GenAI conventions."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from google.genai import types

from agents.event import Event
from agents.llm.contents import history_for
from agents.log import EVENT_KIND, LogEntry
from agents.records import ModelFinished, ModelStarted

_ROLES = {"model": "assistant"}


def text_names(entries: Iterable[LogEntry], *, content: bool) -> list[str]:
    """The hashes of the texts that the records of model calls name.

    Args:
        entries: The log.
        content: Whether those of messages and instructions are wanted, not only the settings.
    """
    names: set[str] = set()
    for entry in entries:
        if (started := entry.of(ModelStarted)) is not None:
            names.add(started.config or "")
            if content:
                names |= {started.instruction or "", started.contents.get("text") or ""}
        elif content and (finished := entry.of(ModelFinished)) is not None:
            names.add(finished.answer or "")
    return sorted(names - {""})


class Content:
    """What models were sent and said, from a session's log.

    Args:
        entries: The session's log.
        texts: The texts that its records name, by hash.
    """

    def __init__(self, entries: Sequence[LogEntry], texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._seqs = [entry.seq for entry in entries if entry.kind == EVENT_KIND]
        self._events: list[Event] = [entry.event() for entry in entries if entry.kind == EVENT_KIND]

    def sent(self, started: ModelStarted) -> dict[str, str | None]:
        """The attributes of what a model was sent."""
        instruction = self._texts.get(started.instruction or "")
        return {
            "gen_ai.system_instructions": to_json([_text(instruction)]) if instruction else None,
            "gen_ai.input.messages": to_json([message(content) for content in self._contents(started)]),
        }

    def kept_answer(self, finished: ModelFinished) -> str | None:
        """The answer of a call that became no event, as `gen_ai.output.messages`."""
        written = self._texts.get(finished.answer or "")
        return to_json([message(json.loads(written).get("content") or {})]) if written else None

    def _contents(self, started: ModelStarted) -> Iterable[Mapping[str, Any]]:
        rule = started.contents
        if "select" not in rule:
            return json.loads(self._texts.get(rule.get("text") or "", "[]"))
        seen = self._events[: bisect_right(self._seqs, rule.get("until") or 0)]
        history = history_for(
            seen,
            agent_name=started.agent,
            branch=started.branch,
            include_contents=rule["select"] or "default",
            is_quoted=started.quoted,
            is_joined=started.joined,
        )
        return map(_plain, history)


def message(content: Mapping[str, Any]) -> dict[str, Any]:
    """A message, made of a content as the log has it."""
    role = str(content.get("role") or "user")
    parts = cast("list[dict[str, Any]]", content.get("parts") or [])
    shown = [_part(part) for part in parts]
    is_tool = bool(shown) and all(part["type"] == "tool_call_response" for part in shown)
    return {"role": "tool" if is_tool else _ROLES.get(role, role), "parts": shown}


def to_json(value: Any) -> str:
    """A structured value as an attribute holds it."""
    return json.dumps(value, ensure_ascii=False)


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if call := part.get("function_call"):
        return {"type": "tool_call", "id": call.get("id"), "name": call.get("name"), "arguments": call.get("args") or {}}
    if answer := part.get("function_response"):
        return {"type": "tool_call_response", "id": answer.get("id"), "response": answer.get("response")}
    if isinstance(text := part.get("text"), str):
        return {"type": "reasoning", "content": text} if part.get("thought") else _text(text)
    kind, held = next(((name, value) for name, value in part.items() if value), ("empty", None))
    mime = cast("dict[str, Any]", held).get("mime_type") if isinstance(held, dict) else None
    return {"type": kind, "mime_type": mime} if mime else {"type": kind}  # a file's bytes stay in the log


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "content": text}


def _plain(content: types.Content) -> dict[str, Any]:
    return content.model_dump(mode="json", exclude_none=True)
