"""Shows a run in a terminal, for reading: who speaks, what tools gave, where loops begin again, how it ended.

What agents say is shown as text: control characters that would command the terminal are made visible. Knows no runs,
only what is shown of one.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any, TextIO
from urllib.parse import urlencode

from agents.config import plain_terminal
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.runs.values import Partial, Run

_PALETTE = ("36", "35", "33", "32", "34", "96")
_BOLD, _DIM, _RED = "1", "2", "31"
_MOST = 160
"""Longest arguments or result of a tool call that are shown in full."""

_VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t\r"}
_VISIBLE |= {ord("\r"): None, 127: 0x2421} | dict.fromkeys(range(128, 160), 65533)


def plain(text: str) -> str:
    """`text` without control characters, except for line breaks and tabs."""
    return text.translate(_VISIBLE)


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, and nobody asked for none (https://no-color.org)."""
    return stream.isatty() and not plain_terminal()


class Terminal:
    """Writes a run to a text stream as it goes.

    Args:
        stream: Where to.
        live: Whether to show text while it is streamed; else events once they are whole.
        colour: Whether to use colours.
    """

    def __init__(self, stream: TextIO, *, live: bool, colour: bool) -> None:
        self._stream = stream
        self._live = live
        self._colour = colour
        self._agents: dict[str, str] = {}
        self._speaker: tuple[str, str | None] | None = None
        self._open: str | None = None
        self._said: dict[tuple[str, bool], str] = {}
        self._calls: dict[str, str] = {}
        self._simulated = False

    def show_entry(self, entry: LogEntry) -> None:
        """Shows a stored entry; most trace records are of no interest here."""
        if entry.kind == EVENT_KIND:
            self._show_event(entry.event())
        elif entry.kind == "run_started":
            self._show_start(entry.fields())
        elif entry.kind == "loop_iteration":
            self._heading(_iteration(entry.fields()))
        elif entry.kind == "loop_finished":
            self._heading(_loop_end(entry.fields()))
        self._stream.flush()

    def show_partial(self, partial: Partial) -> None:
        """Shows a piece of an event, unless another event is being shown: then it waits for the whole."""
        key = (partial.id, partial.thought)
        if not self._live or self._open not in {None, partial.id} or partial.offset != len(self._said.get(key, "")):
            return
        self._introduce(partial.author, partial.branch)
        if key not in self._said:
            self._line_end()
            self._stream.write("  ")
        self._open = partial.id
        self._said[key] = self._said.get(key, "") + partial.text
        self._write_text(partial.text, thought=partial.thought)
        self._stream.flush()

    def finish(self, run: Run, result: Mapping[str, Any], *, database: str | None) -> None:
        """Shows how the run ended, and where to find it.

        Args:
            run: The run.
            result: The body of its `run_finished` record.
            database: The file given with --db, if any.
        """
        self._line_end()
        tokens: Mapping[str, Any] = result.get("tokens") or {}
        calls = result.get("calls", 0)
        facts = [
            self._paint(str(result.get("status")), _BOLD if result.get("status") == "completed" else _RED),
            f"{calls} model call{'' if calls == 1 else 's'}" + (" (simulated)" if self._simulated else ""),
            f"{tokens.get('input', 0)} tokens in, {tokens.get('output', 0)} out",
            f"{result.get('duration', 0):.1f} s",
        ]
        place = urlencode({"pipeline": run.pipeline, "session": run.session_id})
        start = "playground" + (f" --db {shlex.quote(database)}" if database else "")
        self._stream.write(
            f"\n{' · '.join(facts)}\nsession {run.session_id}\n"
            + self._paint(f"To see it in the browser: {start}, then http://127.0.0.1:8501/?{place}", _DIM)
            + "\n"
        )
        self._stream.flush()

    def _show_start(self, record: Mapping[str, Any]) -> None:
        self._simulated = bool(record.get("simulated"))
        if self._simulated:
            self._heading("simulated: answers are computed by the pipeline's simulation, not by a language model")

    def _show_event(self, event: Event) -> None:
        if self._open != event.id:
            self._line_end()
        self._introduce(event.author, event.branch)
        for thought in (True, False):
            whole = "".join(part.text for part in event.parts if part.text and bool(part.thought) is thought)
            self._complete(event.id, whole, thought=thought)
        self._line_end()
        self._show_tools(event)
        for part in event.parts:
            if part.inline_data is not None:
                self._line(_size_of(part.inline_data.mime_type, part.inline_data.data), _DIM)
        if event.error_code:
            self._line(f"✗ {event.error_code}: {event.error_message or ''}", _RED)
        if event.actions.state_delta:
            self._line("state: " + ", ".join(event.actions.state_delta), _DIM)

    def _complete(self, event_id: str, whole: str, *, thought: bool) -> None:
        """Shows of a text what was not shown while it was streamed."""
        said = self._said.pop((event_id, thought), "")
        if not whole or whole == said:
            return
        if self._open != event_id or not said or not whole.startswith(said):
            self._line_end()
            self._stream.write("  ")
            said = ""
        self._open = event_id
        self._write_text(whole[len(said) :], thought=thought)

    def _show_tools(self, event: Event) -> None:
        for call in event.get_function_calls():
            args = ", ".join(f"{name}={_short(value)}" for name, value in (call.args or {}).items())
            self._calls[call.id or ""] = f"{call.name}({_cut(args)})"
        for answer in event.get_function_responses():
            response: dict[str, Any] = answer.response or {}
            asked = self._calls.pop(answer.id or "", f"{answer.name}(…)")
            if "error" in response:
                self._line(f"{asked} ✗ {_short(response['error'])}", _RED)
            else:
                self._line(f"{asked} → {_short(response['result'] if set(response) == {'result'} else response)}")
            for part in answer.parts or []:
                if part.inline_data is not None:
                    self._line(_size_of(part.inline_data.mime_type, part.inline_data.data), _DIM)

    def _introduce(self, author: str, branch: str | None) -> None:
        if self._speaker == (author, branch):
            return
        self._line_end()
        self._speaker = (author, branch)
        if author == "user":
            name = self._paint("● you", _BOLD)
        else:
            colour = self._agents.setdefault(author, _PALETTE[len(self._agents) % len(_PALETTE)])
            name = self._paint(plain(f"◆ {author}"), f"{_BOLD};{colour}")
        self._stream.write(name + (self._paint(plain(f"  {branch}"), _DIM) if branch else "") + "\n")

    def _heading(self, text: str) -> None:
        self._line_end()
        self._speaker = None
        self._stream.write(self._paint(plain(f"── {text} ──"), _DIM) + "\n")

    def _line(self, text: str, style: str = "") -> None:
        self._stream.write("  " + self._paint(_indented(plain(text)), style) + "\n")

    def _write_text(self, text: str, *, thought: bool) -> None:
        self._stream.write(self._paint(_indented(plain(text)), _DIM if thought else ""))

    def _line_end(self) -> None:
        if self._open is not None:
            self._stream.write("\n")
            self._open = None

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour and style and text else text


def _iteration(record: Mapping[str, Any]) -> str:
    most = record.get("max_iterations")
    return f"{record.get('agent')}: iteration {record.get('iteration')}" + (f" of {most}" if most else "")


def _loop_end(record: Mapping[str, Any]) -> str:
    count = record.get("iterations")
    why = {
        "escalated": f"{record.get('by') or 'an agent'} escalated",
        "max_iterations": "the limit",
        "empty": "it has nothing to run",
    }.get(str(record.get("reason")), str(record.get("reason")))
    return f"{record.get('agent')}: ended after {count} iteration{'' if count == 1 else 's'}, {why}"


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _short(value: Any) -> str:
    return _cut(json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def _size_of(mime_type: str | None, data: bytes | None) -> str:
    return f"[{mime_type or 'data'}, {len(data or b'') / 1024:.1f} KiB]"
