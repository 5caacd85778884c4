"""Instructions: templates filled from session state, or functions of the context.

Knows nothing of models.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any

from agents.context import ReadonlyContext
from agents.errors import MissingStateKeyError, known

InstructionProvider = Callable[[ReadonlyContext], str | Awaitable[str]]

_PLACEHOLDER = re.compile(r"[$\\]?\{+[^{}]*\}+")
_SCOPES = ("app", "user", "temp")


def fill_template(template: str, state: Mapping[str, Any], *, agent_name: str) -> str:
    r"""Replaces `{key}` by the value of that state key.

    `{{key}}` is the same; `{app:key}`, `{user:key}` and `{temp:key}` name a scope; `{key?}` may be missing and is
    then empty; None is empty; a value with an `as_prompt()` is shown by it. `${x}`, `\{x}` and anything in braces that
    is not an identifier stay as they are, so JSON is safe.

    Raises:
        MissingStateKeyError: A key without `?` is not in `state`.
    """
    if "{" not in template:
        return template

    def value_of(key: str, optional: bool) -> str:
        if key in state:
            return _as_text(state[key])
        if optional:
            return ""
        raise MissingStateKeyError(
            f"The instruction of agent {agent_name!r} needs the state key {key!r}, which is not set. "
            f"State has: {known(sorted(state))}. Set it in the start state, let an earlier agent write it with "
            f"output_key={key!r}, or write {{{key}?}} if it may be missing."
        )

    return "".join([piece if isinstance(piece, str) else value_of(*piece) for piece in _pieces(template)])


@lru_cache(maxsize=256)
def _pieces(template: str) -> tuple[str | tuple[str, bool], ...]:
    """A template as literal texts and placeholders: (key, whether it may be missing)."""
    pieces: list[str | tuple[str, bool]] = []
    end = 0
    for match in _PLACEHOLDER.finditer(template):
        text = match.group()
        name = text.strip("{}").strip()
        key = name.removesuffix("?")
        if text[0] not in "$\\" and _names_state(key):
            pieces += [template[end : match.start()], (key, name.endswith("?"))]
            end = match.end()
    return (*pieces, template[end:])


async def resolve_instruction(source: str | InstructionProvider, context: ReadonlyContext) -> tuple[str, bool]:
    """An instruction's text, and whether it must not be templated because a function wrote it."""
    if isinstance(source, str):
        return source, False
    text = source(context)
    return (await text if inspect.isawaitable(text) else text), True


def _names_state(key: str) -> bool:
    scope, colon, rest = key.partition(":")
    return rest.isidentifier() and scope in _SCOPES if colon else key.isidentifier()


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value.as_prompt() if hasattr(value, "as_prompt") else str(value)
