"""Tool calls whose arguments cannot be read: no tool runs, and the model is told what it wrote and why that cannot be read.

Such a call has one argument, which holds the text that the model wrote. It is stored, shown and sent like any other call.
"""

from __future__ import annotations

from google.genai import types

_TEXT, _WHY = "(unreadable arguments)", "(why)"
_LONGEST = 4000


def unreadable_call(name: str, text: str, why: str, *, call_id: str | None = None) -> types.FunctionCall:
    """The call of a tool with arguments that cannot be read.

    Args:
        name: The tool.
        text: What the model wrote.
        why: What is wrong with it, as the rest of a sentence, e.g. "it ends too early".
        call_id: The model's id of the call.
    """
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return types.FunctionCall(id=call_id, name=name, args={_TEXT: shown, _WHY: why})


def why_unreadable(call: types.FunctionCall) -> str | None:
    """The error to answer a call with whose arguments cannot be read; None for any other call."""
    args = call.args or {}
    if args.keys() != {_TEXT, _WHY}:
        return None
    return (
        f"{call.name} was not run, because its arguments cannot be read: {args[_WHY]}. Call it again, with all arguments as "
        "one whole JSON object."
    )
