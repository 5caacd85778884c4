"""Failover: ask the router for a target; if the target fails before its first output, ask again with the error.

`agents.flows.routing` uses it for agents and for models.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from inspect import Parameter
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, cast

from agents.errors import RoutingError, known
from agents.models.connections import redact

Item = TypeVar("Item")
Output = TypeVar("Output")


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """What a router may return instead of a key alone.

    Attributes:
        key: The key of the target to run; None for none.
        reason: Why, for the log.
    """

    key: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RoutingErrorContext:
    """The error context of a router that is asked again.

    Attributes:
        failed_keys: The keys tried so far, all of which failed.
        last_error: The last target's error.
    """

    failed_keys: frozenset[str]
    last_error: Exception


Answer = RouteDecision | str | None
Router = Callable[..., Answer | Awaitable[Answer]]
"""Called as `router(items, given, error_context=None)`; it may take fewer parameters, or none."""


class DecisionLog(Protocol):
    """Receives each decision of a router."""

    def __call__(self, **data: Any) -> None:
        """Takes `candidates`, `key`, `failed` and, where there is one, `reason` and `error`."""
        ...


@dataclass(frozen=True, slots=True)
class Choice(Generic[Item]):
    """The targets and their router.

    Attributes:
        of: The owner of the choice, for messages, e.g. "agent 'triage'".
        items: The targets by key.
        router: Returns the key of a target.
        given: The router's second argument: the context or the request.
        note: Called with each decision.
    """

    of: str
    items: Mapping[str, Item]
    router: Router
    given: Any
    note: DecisionLog

    async def make(self, tried: Sequence[str], error: Exception | None) -> str:
        """Asks the router for a key that was not tried.

        Args:
            tried: The keys that failed, in order.
            error: The last target's error; None at first.

        Raises:
            RoutingError: The first answer is empty, or an answer is not a key.
            Exception: `error`, if the router gives up with None or returns a key that was tried; or the router's own error.
        """
        context = None if error is None else RoutingErrorContext(frozenset(tried), error)
        try:
            decision = await self._ask(context)
        except Exception as failure:
            self._note(RouteDecision(None), tried, failure, error)
            raise
        key = decision.key
        if key is not None and (key or tried) and key in self.items and key not in tried:
            self._note(decision, tried, error)
            return key
        refusal = self._refusal(key, error)
        if refusal is error:
            self._note(decision, tried, error)
            raise refusal
        self._note(decision, tried, refusal, error)
        raise refusal from error

    async def _ask(self, context: RoutingErrorContext | None) -> RouteDecision:
        answer: Any = _call(self.router, MappingProxyType(dict(self.items)), self.given, context)
        if inspect.isawaitable(answer):
            answer = await answer
        decision = answer if isinstance(answer, RouteDecision) else RouteDecision(answer)
        key: Any = decision.key
        if key is None or isinstance(key, str):
            return decision
        return RouteDecision(repr(key) if key else "", decision.reason)

    def _refusal(self, key: str | None, error: Exception | None) -> Exception:
        """The error to raise if no other target is run: the fault in the router's answer, else the target's error."""
        if error is None and not key:
            return RoutingError(
                f"Initial routing failed, no item selected. The router of {self.of} returned {key!r}: "
                f"let it return one of these keys: {known(self.items)}."
            )
        if error is None or (key is not None and key not in self.items):
            return RoutingError(
                f"The router of {self.of} returned the key {key!r}, and there is no such key. "
                f"Let it return one of these: {known(self.items)}{', or None to give up' if error is not None else ''}."
            )
        return error

    def _note(self, decision: RouteDecision, tried: Sequence[str], *errors: Exception | None) -> None:
        more = {"reason": str(decision.reason)} if decision.reason else {}
        if said := [f"{type(error).__name__}: {error}" for error in errors if error is not None]:
            more["error"] = redact("; after ".join(said))
        self.note(candidates=list(self.items), key=decision.key or None, failed=list(tried), **more)


def _call(router: Router, items: Mapping[str, Any], given: Any, context: RoutingErrorContext | None) -> Any:
    """Calls a router with the parameters that it takes: the error context by name, or as the third argument."""
    try:
        parameters = inspect.signature(router).parameters.values()
    except (TypeError, ValueError):  # a callable without a signature
        return router(items, given, context)
    kinds = {parameter.kind for parameter in parameters}
    by_name = Parameter.VAR_KEYWORD in kinds or any(map(_is_error_context, parameters))
    offered = (items, given) if by_name else (items, given, context)
    places = [parameter for parameter in parameters if parameter.kind in _PLACES and not _is_error_context(parameter)]
    taken = offered if Parameter.VAR_POSITIONAL in kinds else offered[: len(places)]
    return router(*taken, error_context=context) if by_name else router(*taken)


_PLACES = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def _is_error_context(parameter: Parameter) -> bool:
    return parameter.name == "error_context" and parameter.kind is not Parameter.POSITIONAL_ONLY


async def with_failover(
    choice: Choice[Item], run: Callable[[Item], AsyncGenerator[Output, None]]
) -> AsyncGenerator[Output, None]:
    """Runs the chosen target, and another if it raises before its first output; no target is run twice.

    Args:
        choice: The targets and their router.
        run: Runs one target.

    Yields:
        The output of the target.

    Raises:
        RoutingError: The router's first answer was empty, or an answer is not a key.
        Exception: A target's error after its first output, or before it if the router named no other target.
    """
    tried: list[str] = []
    error: Exception | None = None
    while True:
        key = await choice.make(tried, error)
        tried.append(key)
        has_begun = False
        try:
            async with aclosing(run(choice.items[key])) as outputs:
                async for output in outputs:
                    has_begun = True
                    yield output
        except Exception as failure:
            if has_begun:
                raise
            error = failure
        else:
            return


def by_key(items: Mapping[str, Item] | Iterable[Item], name_of: Callable[[Item], str]) -> dict[str, Item]:
    """The targets by key: a mapping unchanged, a sequence under the items' names.

    Raises:
        ValueError: Two of them have the same name.
    """
    if isinstance(items, Mapping):
        return dict(cast("Mapping[str, Item]", items))
    routes: dict[str, Item] = {}
    for item in items:
        if (name := name_of(item)) in routes:
            raise ValueError(f"Two to choose from are named {name!r}. Give them keys of their own: {{'key': …}}.")
        routes[name] = item
    return routes
