"""What records of a log and calls that wait read as in a terminal. Pure functions over their fields."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from agents import REQUEST_ANSWER, REQUEST_CONFIRMATION, REQUEST_INPUT, Event
from agents.runs import PendingCall, options_of

MOST = 160
"""Longest arguments or result of a tool call that are shown in full."""


def call(name: str | None, args: Mapping[str, Any] | None) -> str:
    """A tool call, e.g. `pay(amount=500)`; of a graph's question, what it asks."""
    if name == REQUEST_INPUT:
        return str((args or {}).get("message") or "an answer is waited for")
    said = ", ".join(f"{key}={short(value)}" for key, value in (args or {}).items())
    return f"{name}({cut(said)})"


def question(name: str | None, args: Mapping[str, Any]) -> str:
    """A call that waits for the user: a confirmation of another call, or a tool with a later result."""
    if name == REQUEST_ANSWER:
        return "it waits for you as its model"
    if name == REQUEST_INPUT:
        return call(name, args)
    if name != REQUEST_CONFIRMATION:
        return f"{call(name, args)} waits for its result"
    original: Mapping[str, Any] = args.get("originalFunctionCall") or {}
    hint = (args.get("toolConfirmation") or {}).get("hint")
    asked = call(original.get("name"), original.get("args"))
    return f"may it {asked}?" + (f" {hint}" if hint else "")


def question_of(waiting: PendingCall) -> str:
    """The same, for a call in the list of pending ones."""
    if waiting.tool == REQUEST_ANSWER:
        return f"{waiting.agent} waits for you as its model"
    if waiting.tool == REQUEST_INPUT:
        return call(waiting.tool, waiting.args)
    asked = call(waiting.tool, waiting.args)
    if not waiting.is_confirmation:
        return f"{asked} waits for its result"
    return f"may it {asked}?" + (f" {waiting.hint}" if waiting.hint else "")


def verdict(response: Mapping[str, Any]) -> str:
    """The user's answer to a confirmation."""
    said = "approved" if response.get("confirmed") else "rejected"
    changed = f", with {call('arguments', response['args'])}" if response.get("args") else ""
    return said + changed + (f": {response['reason']}" if response.get("reason") else "")


def as_model(response: Mapping[str, Any]) -> str:
    """The user's answer in a model's place; what they typed is in the model's answer, which follows."""
    if response.get("pass"):
        return "passed to the usual model" + (", since nobody answered in time" if response.get("late") else "")
    return f"refused: {response['refuse']}" if "refuse" in response else "answered as its model"


def how_to_answer(waiting: PendingCall, options: str = "") -> str:
    """The command that lets a paused run go on; of `--approve` and `--reject` one is to be taken."""
    start = f"playground answer {shlex.quote(waiting.session_id)} {shlex.quote(waiting.call_id)}"
    if offered := options_of(waiting):
        numbered = ", ".join(f"{place}: {cut(option)}" for place, option in enumerate(offered, 1))
        return f"{start}{options} --choose 1   ({numbered})"
    if waiting.tool == REQUEST_ANSWER:
        return f'{start}{options} --response \'{{"text": …}}\'   (or {{"calls": […]}}, {{"refuse": …}}, {{"pass": true}})'
    choices = '--approve   (or --reject "why")' if waiting.is_confirmation else "--response '{\"result\": …}'"
    return f"{start}{options} {choices}"


def sources_of(event: Event) -> list[str]:
    """The sources of an answer that its provider searched for, a line each: title and address."""
    chunks = (event.grounding_metadata.grounding_chunks or []) if event.grounding_metadata else []
    found = [(chunk.web.title, chunk.web.uri) for chunk in chunks if chunk.web]
    pages = (event.url_context_metadata.url_metadata or []) if event.url_context_metadata else []
    found += [(None, page.retrieved_url) for page in pages]
    return list(dict.fromkeys(" ".join(cut(part) for part in pair if part) for pair in found))


def short(value: Any) -> str:
    """A value as JSON, cut."""
    return cut(json.dumps(value, ensure_ascii=False, default=str))


def cut(text: str) -> str:
    """A text, cut at `MOST` characters."""
    return text if len(text) <= MOST else text[: MOST - 1] + "…"


def size(mime_type: str | None, data: bytes | None) -> str:
    """A picture or file, by its size."""
    return f"[{mime_type or 'data'}, {len(data or b'') / 1024:.1f} KiB]"
