"""The callbacks of a run: how they are called, and its plugins as agents see them; `agents.flows.plugins` has those."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, Protocol, cast

from agents.event import Event

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class RunPlugins(Protocol):
    """The part of a run's plugins that its agents use."""

    def ahead_of(
        self, name: str, own: Any, *, renamed: Mapping[str, str] | None = None, **fixed: Any
    ) -> list[Callable[..., Any]]:
        """The plugins' callbacks of that name, then the agent's own, in the order of their calls.

        Args:
            name: Of the callback.
            own: The agent's callbacks: one, several or none.
            renamed: Names of arguments in plugins' callbacks, by their names in agents' callbacks.
            **fixed: Arguments that only plugins are given.
        """
        ...

    async def event_of(self, context: Any, event: Event) -> Event:
        """The event that is stored and yielded in place of `event`.

        Raises:
            PluginError: A plugin raised.
        """
        ...


async def first_answer(callbacks: Callable[..., Any] | Sequence[Callable[..., Any]] | None, **arguments: Any) -> Any:
    """Calls callbacks in order, sync or async, until one returns something other than None; see `call_with`."""
    if not callbacks:
        return None
    for callback in cast("Sequence[Callable[..., Any]]", callbacks if isinstance(callbacks, Sequence) else [callbacks]):
        answer = call_with(callback, arguments)
        if inspect.isawaitable(answer):
            answer = await answer
        if answer is not None:
            return answer
    return None


def call_with(callback: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a callback with arguments by name, and by position where its own names differ.

    Args:
        callback: A function, method, partial or object with `__call__`.
        arguments: By their usual names, in their usual order.

    Raises:
        TypeError: It takes fewer arguments, or needs more.
    """
    code: CodeType | None = getattr(callback, "__code__", None)
    if code is not None and not code.co_posonlyargcount:  # to read a signature takes longer than most callbacks
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if all(name in named for name in arguments):
            return callback(**arguments)
    try:
        signature = inspect.signature(callback)
    except ValueError:  # of a built-in function
        return callback(**arguments)
    given = _bound(signature, arguments)
    return callback(**arguments) if given is None else callback(*given.args, **given.kwargs)


def _bound(signature: inspect.Signature, arguments: Mapping[str, Any]) -> inspect.BoundArguments | None:
    """The arguments as a signature takes them; None if it has all their names, or some are left over."""
    kinds = {parameter.kind: parameter.name for parameter in signature.parameters.values()}
    others = kinds.get(inspect.Parameter.VAR_KEYWORD)
    by_name = {
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY) and name in arguments
    }
    rest = [name for name in arguments if name not in by_name]
    if not rest:  # the signature may be that of a function which the callback wraps, and hands its arguments on
        return None
    values: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if name in by_name:
            values[name] = arguments[name]
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL and others is None:
            values[name], rest = tuple(arguments[left] for left in rest), []
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            values[name], rest = {left: arguments[left] for left in rest}, []
        elif rest and parameter.kind in _BY_POSITION and (others is None or parameter.default is inspect.Parameter.empty):
            values[name] = arguments[rest.pop(0)]
    return None if rest else inspect.BoundArguments(signature, values)  # pyright: ignore[reportArgumentType]  a plain dict does
