"""Asks for an answer as a model in the terminal: what the model is sent, and lines that are typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from agents import REQUEST_ANSWER, AnswerError
from agents.runs import PendingCall, Run, RunManager
from ui.cli.terminal_words import short
from ui.text.visible_text import visible, visible_line

_HOW = (
    "Type what the model says, and end it with an empty line. Or: /call TOOL {JSON}, /refuse WHY, "
    "/pass for the usual model, /leave to answer later."
)


def can_ask(*, as_json: bool) -> bool:
    """Whether somebody is at the terminal."""
    return not as_json and sys.stdin.isatty() and sys.stdout.isatty()


def first_asked(waiting: Iterable[PendingCall]) -> PendingCall | None:
    """The first call that waits for the user as a model; None if there is none."""
    return next((call for call in waiting if call.tool == REQUEST_ANSWER), None)


def answer(manager: RunManager, call: PendingCall) -> Run | None:
    """Asks until an answer is taken; None if the user leaves the run as it is."""
    print(visible(_sent(call)))
    while (given := _typed()) is not None:
        try:
            return manager.answer(call.pipeline, call.session_id, call.call_id, given)
        except AnswerError as error:
            print(visible(str(error)), file=sys.stderr)
    return None


def _sent(call: PendingCall) -> str:
    """What the model is sent: the conversation, which is above, or messages of its own, e.g. of a router that asks."""
    tools: list[Mapping[str, Any]] = call.args.get("tools") or []
    messages: list[Mapping[str, Any]] = call.args.get("contents") or []
    what = "this alone" if messages else "the conversation, and this"
    lines = [f"\nYou are the model of {visible_line(call.agent)}. It is sent {what}:"]
    lines.append(str(call.args.get("instruction") or ""))
    lines += [str(part.get("text") or short(part)) for message in messages for part in message.get("parts") or []]
    lines += [f"tool {tool.get('name')} {json.dumps(tool.get('parameters') or {}, ensure_ascii=False)}" for tool in tools]
    if (schema := call.args.get("schema")) is not None:
        lines.append(f"Answer in JSON that fits {json.dumps(schema, ensure_ascii=False)}")
    return "\n".join([*lines, _HOW])


def _typed() -> dict[str, Any] | None:
    """An answer; None if the user leaves."""
    lines: list[str] = []
    calls: list[dict[str, Any]] = []
    while True:
        try:
            line = input("… " if lines or calls else "> ")
        except EOFError:
            return None
        command, _, rest = line.partition(" ")
        if command in ("/leave", "/pass", "/refuse") and not lines:
            return {"/leave": None, "/pass": {"pass": True}, "/refuse": {"refuse": rest}}[command]
        if command == "/call":
            if (made := _call(rest)) is not None:
                calls.append(made)
        elif line.strip() or not (lines or calls):
            lines += [line] if line.strip() else []
        else:
            return {"text": "\n".join(lines), "calls": calls}


def _call(text: str) -> dict[str, Any] | None:
    """A call as typed; None if its arguments are no JSON object."""
    name, _, args = text.strip().partition(" ")
    try:
        given = json.loads(args) if args.strip() else {}
    except (ValueError, RecursionError) as error:
        print(visible(f'The arguments are not JSON: {error}. Write /call {name} {{"name": "value"}}'), file=sys.stderr)
        return None
    return {"name": name, "args": given}
