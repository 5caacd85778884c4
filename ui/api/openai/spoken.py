"""What a run says to its client: the texts of the agents that answer, and the client's functions that they call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from agents import EVENT_KIND, Event, LogEntry, RunFinished
from agents.runs import Answering, Partial, PendingCall
from ui.api.followed_run import News, RunEnd

FINAL_ANSWER = "final_answer"
_FINISH = {"max_tokens": "length", "safety": "content_filter"}


@dataclass(slots=True)
class Spoken:
    """A fold over a run. What was streamed stays the beginning of the text.

    Attributes:
        answering: Who answers.
        functions: Names of the client's functions; None where these are not known.
        text: What is known of the answer; whole once `end` is there.
        calls: The calls of the client's functions that wait for their results.
        end: How the run ended.
    """

    answering: Answering
    functions: frozenset[str] | None
    text: str = ""
    calls: tuple[PendingCall, ...] = ()
    end: RunFinished | None = None
    _stop: str = "end_turn"
    _streamed: dict[str, int] = field(default_factory=dict[str, int])
    _last: str = ""
    _others: str = ""

    def take(self, item: News) -> str:
        """What comes to the text."""
        match item:
            case Partial():
                return self._piece(item)
            case LogEntry():
                return self._said(item.event()) if item.kind == EVENT_KIND else ""
            case RunEnd(record=record, waiting=waiting):
                self.end = record
                return self._ended(waiting)

    @property
    def failure(self) -> tuple[str, str] | None:
        """The error that ended the run, as code and message; None if it ended well."""
        if self.end is None or self.end.status in {"completed", "paused"}:
            return None
        return self.end.error_code or f"run_{self.end.status}", self.end.error_message or f"The run was {self.end.status}."

    @property
    def finish_reason(self) -> str:
        """The `finish_reason` of a choice."""
        return "tool_calls" if self.calls else _FINISH.get(self._stop, "stop")

    @property
    def tokens(self) -> Mapping[str, int]:
        """Tokens of the run's calls: `input`, `output` with thoughts, `cached`, `thoughts`."""
        given = self.end.tokens if self.end is not None else {}
        thoughts = given.get("thoughts", 0)
        return {
            "input": given.get("input", 0),
            "output": given.get("output", 0) + thoughts,
            "cached": given.get("cached", 0),
            "thoughts": thoughts,
        }

    @property
    def _is_live(self) -> bool:
        return self.answering.speaks_once and self.answering.in_words

    def _piece(self, piece: Partial) -> str:
        if not self._is_live or piece.thought or piece.author not in self.answering.agents:
            return ""
        before = self._streamed.get(piece.id, 0)
        self._streamed[piece.id] = before + len(piece.text)
        return self._add(piece.text, is_new=not before)

    def _said(self, event: Event) -> str:
        if event.author == "user" or not (text := event.text):
            return ""
        if event.author not in self.answering.agents:
            self._others = text
            return ""
        self._stop = event.stop_reason or self._stop
        text = text if self.answering.in_words else _final_answer(text)
        if not self.answering.speaks_once:
            self._last = text
            return ""
        streamed = self._streamed.get(event.id, 0)
        return self._add(text[streamed:], is_new=not streamed)

    def _ended(self, waiting: tuple[PendingCall, ...]) -> str:
        known = self.functions
        self.calls = tuple(c for c in waiting if not c.is_confirmation and (known is None or c.tool in known))
        asked = [call for call in waiting if call not in self.calls]
        added = self._add(self._last or ("" if self.text or self.calls or asked else self._others), is_new=True)
        if asked and not self.calls:
            added += self._add("\n".join(_asks(call) for call in asked), is_new=True)
        return added

    def _add(self, text: str, *, is_new: bool) -> str:
        """Adds to the answer; what a new event says begins a paragraph."""
        if text and is_new and self.text:
            text = f"\n\n{text}"
        self.text += text
        return text


def _final_answer(text: str) -> str:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(found, dict) or FINAL_ANSWER not in found:
        return text
    answer = cast("dict[str, Any]", found)[FINAL_ANSWER]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _asks(call: PendingCall) -> str:
    what = "asks to confirm" if call.is_confirmation else "waits for the result of"
    arguments = json.dumps(dict(call.args), ensure_ascii=False, default=str)[:1000]
    return f"{call.agent} {what} {call.tool}({arguments}). Answer it in the playground, session {call.session_id}."
