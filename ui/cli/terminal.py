"""Shows a run in a terminal, for reading: who speaks, what tools gave, who hands over to whom, how it ended.

Agents that are used as tools are shown inside of the call, indented.

What agents say is shown as text: what would command the terminal, reorder a line or hide in it is made visible. Knows no
runs, only what is shown of one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TextIO
from urllib.parse import urlencode

from google.genai import types

from agents import EVENT_KIND, REQUEST_ANSWER, REQUEST_CONFIRMATION, Event, LogEntry, ModelLoading, RunStarted
from agents.models import FAULT_MARK, REPLAY_MARK, REPLAYED, SIMULATED_MARK, TYPED_MARK
from agents.runs import Partial, PendingCall, Run
from ui.cli import terminal_words as words
from ui.cli.trace_words import SHOWN, heading
from ui.text.answered_by import is_mixed, replayed_session, where_from
from ui.text.visible_text import visible, visible_line

_PALETTE = ("36", "35", "33", "32", "34", "96")
_BOLD, _DIM, _RED, _VIOLET = "1", "2", "31", "35"
_TOOL_MARK = ":"
"""In a branch: before the call in which an agent works as a tool."""


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, and nobody asked for none (https://no-color.org)."""
    asked_for_none = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not asked_for_none


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
        self._start: Mapping[str, Any] = {}
        self._loading: set[str] = set()
        self._inset = ""

    def show_entry(self, entry: LogEntry, number: int) -> None:
        """Shows a stored entry, an event with its number; most trace records are of no interest here."""
        if entry.kind == EVENT_KIND:
            self._show_event(entry.event(), number)
        elif entry.kind == RunStarted.kind:
            self._show_start(entry.fields())
        elif entry.kind in SHOWN:
            self._show_record(entry.kind, entry.fields())
        self._stream.flush()

    def show_partial(self, partial: Partial) -> None:
        """Shows a piece of an event, unless another event is being shown: then it waits for the whole."""
        key = (partial.id, partial.thought)
        if not self._live or self._open not in {None, partial.id} or partial.offset != len(self._said.get(key, "")):
            return
        self._introduce(partial.author, partial.branch)
        if key not in self._said:
            self._line_end()
            self._stream.write(f"{self._inset}  ")
        self._open = partial.id
        self._said[key] = self._said.get(key, "") + partial.text
        self._write_text(partial.text, thought=partial.thought)
        self._stream.flush()

    def finish(self, run: Run, result: Mapping[str, Any], *, options: str = "", waiting: Sequence[PendingCall] = ()) -> None:
        """Shows how the run ended, where to find it, and how to let it go on if it waits.

        Args:
            run: The run.
            result: The body of its `run_finished` record.
            options: The options with which another command finds the same sessions and pipelines.
            waiting: The calls that it waits for.
        """
        self._line_end()
        status = str(result.get("status"))
        tokens: Mapping[str, Any] = result.get("tokens") or {}
        calls = result.get("calls", 0)
        facts = [
            self._paint(visible_line(status), {"completed": _BOLD, "paused": f"{_BOLD};{_VIOLET}"}.get(status, _RED)),
            f"{calls} model call{'' if calls == 1 else 's'}" + self._kind_of_answers(),
            f"{tokens.get('input', 0)} tokens in, {tokens.get('output', 0)} out",
            f"{result.get('duration', 0):.1f} s",
        ]
        place = urlencode({"pipeline": run.pipeline, "session": run.session_id})
        self._stream.write(
            f"\n{' · '.join(facts)}\nsession {visible_line(run.session_id)}\n"
            + self._paint(
                f"To see it in the browser: playground{visible(options)}, then http://127.0.0.1:8501/?{place}", _DIM
            )
            + "\n"
        )
        if waiting:
            self._stream.write("It waits for you. Answer with:\n")
        for call in waiting:
            self._stream.write(f"  {visible(words.how_to_answer(call, options))}\n")
        self._stream.flush()

    def _show_start(self, record: Mapping[str, Any]) -> None:
        self._start = record
        for told in where_from(record):
            self._heading(told)
        if record.get("resumed"):
            self._heading("goes on where it was")

    def _show_record(self, kind: str, record: Mapping[str, Any]) -> None:
        model = str(record.get("model"))
        if kind == ModelLoading.kind and model in self._loading:  # how far it is would be a line for each step
            return
        (self._loading.add if kind == ModelLoading.kind else self._loading.discard)(model)
        self._move_to(record.get("branch"))
        style = _RED if kind in _ALARMS else _DIM
        self._heading(heading(kind, record) + (" (as recorded)" if record.get(REPLAYED) else ""), style)

    def _kind_of_answers(self) -> str:
        kinds = [
            "replayed" if replayed_session(self._start) is not None else "",
            "partly simulated" if is_mixed(self._start) else "simulated" if self._start.get("simulated") else "",
        ]
        return f" ({told})" if (told := ", ".join(filter(None, kinds))) else ""

    def _origin(self, event: Event) -> str:
        """Where an answer comes from, if that is not what the run's heading says of all."""
        marks = event.custom_metadata or {}
        if not event.model_version or FAULT_MARK in marks:
            return ""
        is_simulated = bool(marks.get(SIMULATED_MARK))
        if TYPED_MARK in marks:
            return ", ".join(["typed by a person", *(["replayed"] if REPLAY_MARK in marks else [])])
        told = ["simulated"] if is_simulated else [event.model_version]
        if REPLAY_MARK in marks and replayed_session(self._start) is None:
            told.append("replayed")
        elif is_simulated == bool(self._start.get("simulated")) and not is_mixed(self._start):
            return ""
        return ", ".join(told)

    def _show_event(self, event: Event, number: int) -> None:
        if self._open != event.id:
            self._line_end()
        self._move_to(event.branch)
        self._introduce(event.speaker, event.branch)
        for thought in (True, False):
            whole = "".join(part.text for part in event.parts if part.text and bool(part.thought) is thought)
            self._complete(event.id, whole, thought=thought)
        self._line_end()
        if origin := self._origin(event):
            self._line(f"({origin})", _DIM)
        self._show_tools(event)
        self._show_brought(event)
        if event.error_code:
            self._line(f"✗ {event.error_code}: {event.error_message or ''}", _RED)
        if event.actions.artifact_delta:
            saved = ", ".join(f"{name} (version {version})" for name, version in event.actions.artifact_delta.items())
            self._line(f"saved: {saved}", _DIM)
        state = f" · state: {', '.join(event.actions.state_delta)}" if event.actions.state_delta else ""
        self._line(f"event {number}{state}", _DIM)

    def _show_brought(self, event: Event) -> None:
        """What an answer brings besides its text: files, code that its provider ran, sources."""
        for part in event.parts:
            if part.inline_data is not None:
                self._line(words.size(part.inline_data.mime_type, part.inline_data.data), _DIM)
            if part.executable_code is not None:
                self._line(f"ran code:\n{part.executable_code.code or ''}", _DIM)
            if part.code_execution_result is not None:
                self._line(f"it printed:\n{part.code_execution_result.output or ''}", _DIM)
        for source in words.sources_of(event):
            self._line(f"source: {source}", _DIM)

    def _complete(self, event_id: str, whole: str, *, thought: bool) -> None:
        """Shows of a text what was not shown while it was streamed."""
        said = self._said.pop((event_id, thought), "")
        if not whole or whole == said:
            return
        if self._open != event_id or not said or not whole.startswith(said):
            self._line_end()
            self._stream.write(f"{self._inset}  ")
            said = ""
        self._open = event_id
        self._write_text(whole[len(said) :], thought=thought)

    def _show_tools(self, event: Event) -> None:
        later = event.long_running_tool_ids or ()
        for call in event.get_function_calls():
            self._calls[call.id or ""] = words.call(call.name, call.args)
            if call.id is not None and call.id in later:
                self._line(f"? {words.question(call.name, call.args or {})}", _VIOLET)
        for answer in event.get_function_responses():
            self._show_answer(answer)

    def _show_answer(self, answer: types.FunctionResponse) -> None:
        response: dict[str, Any] = answer.response or {}
        asked = self._calls.pop(answer.id or "", f"{answer.name}(…)")
        if answer.name == REQUEST_ANSWER:
            self._line(words.as_model(response))
        elif answer.name == REQUEST_CONFIRMATION:
            self._line(words.verdict(response))
        elif "error" in response:
            self._line(f"{asked} ✗ {words.short(response['error'])}", _RED)
        else:
            self._line(f"{asked} → {words.short(response['result'] if set(response) == {'result'} else response)}")
        for part in answer.parts or []:
            if part.inline_data is not None:
                self._line(words.size(part.inline_data.mime_type, part.inline_data.data), _DIM)

    def _introduce(self, author: str, branch: str | None) -> None:
        if self._speaker == (author, branch):
            return
        self._line_end()
        self._speaker = (author, branch)
        inside = branch is not None and _TOOL_MARK in branch
        if author == "user":
            name = self._paint("● asked" if inside else "● you", _BOLD)
        else:
            colour = self._agents.setdefault(author, _PALETTE[len(self._agents) % len(_PALETTE)])
            name = self._paint(visible_line(f"◆ {author}"), f"{_BOLD};{colour}")
        where = _own_part(branch)
        self._stream.write(self._inset + name + (self._paint(f"  {visible_line(where)}", _DIM) if where else "") + "\n")

    def _move_to(self, branch: str | None) -> None:
        """Sets the indentation: a step for every call around what is shown next."""
        inset = "    " * (branch or "").count(_TOOL_MARK)
        if inset != self._inset:
            self._line_end()
            self._inset = inset

    def _heading(self, text: str, style: str = _DIM) -> None:
        self._line_end()
        self._speaker = None
        self._stream.write(self._inset + self._paint(f"── {visible_line(text)} ──", style) + "\n")

    def _line(self, text: str, style: str = "") -> None:
        self._stream.write(f"{self._inset}  {self._paint(self._indented(visible(text)), style)}\n")

    def _write_text(self, text: str, *, thought: bool) -> None:
        self._stream.write(self._paint(self._indented(visible(text)), _DIM if thought else ""))

    def _line_end(self) -> None:
        if self._open is not None:
            self._stream.write("\n")
            self._open = None

    def _indented(self, text: str) -> str:
        return text.replace("\n", f"\n{self._inset}  ")

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour and style and text else text


_ALARMS = {"fault_injected", "model_retry"}


def _own_part(branch: str | None) -> str:
    """A branch without the calls around it: the parallel branch within the innermost one."""
    if branch is None or _TOOL_MARK not in branch:
        return branch or ""
    return branch.rpartition(_TOOL_MARK)[2].partition(".")[2]
