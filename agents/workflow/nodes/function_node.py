"""Functions as nodes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, cast, get_args, get_origin, get_type_hints

from google.genai import types
from pydantic import BaseModel, PrivateAttr, PydanticSchemaGenerationError, TypeAdapter

from agents.errors import WorkflowConfigurationError, WorkflowDataError
from agents.event import Event
from agents.runtime.context import ReadonlyContext
from agents.runtime.nodes.retry_config import RetryConfig
from agents.state import State
from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.confirmation import REJECTED, ask_to_confirm, confirmation_in
from agents.workflow.request_input import RequestInput
from agents.workflow.values import adapter_of, payload_of

_EMPTY = inspect.Parameter.empty
_STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class _Code:
    """A function as its node calls it.

    Attributes:
        func: The function.
        kind: "sync", "async", "generator" or "async generator".
        hints: Its annotations.
        parameters: Name, parameter, annotation and what checks its value, of each that is not the context.
        context_name: The parameter that takes the context.
        takes_rest: Whether it takes any other names.
    """

    func: Callable[..., Any]
    kind: str
    hints: dict[str, Any]
    parameters: list[tuple[str, inspect.Parameter, Any, TypeAdapter[Any] | None]]
    context_name: str | None
    takes_rest: bool

    @classmethod
    def of(cls, func: Callable[..., Any], inner: Callable[..., Any]) -> _Code:
        """Reads a function's signature; `inner` is the one that was written."""
        hints, parameters = _hints(inner), inspect.signature(func).parameters
        contexts = [name for name in parameters if _is_context(hints.get(name))]
        context_name = contexts[0] if contexts else "ctx" if "ctx" in parameters else None
        taken = [
            (name, parameter, hints.get(name), _adapter(hints.get(name)))
            for name, parameter in parameters.items()
            if name != context_name and parameter.kind not in _STARRED
        ]
        takes_rest = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
        return cls(func, _kind_of(inner), hints, taken, context_name, takes_rest)

    @property
    def runs_others(self) -> bool:
        """Whether it can run other nodes."""
        return self.kind.startswith("async") and self.context_name is not None


class FunctionNode(BaseNode):
    """A function as a node, sync or async, or a generator of several events.

    A parameter called `ctx`, or annotated as a context, is the context; `node_input` is the input; others are state keys.
    They are converted to their annotations: dictionaries to models, the user's message to text. What it returns is the
    output, unless it is an event, a question to the user, or None.

    Args:
        func: The function.
        name: The node's name; by default the function's.
        rerun_on_resume: As for `BaseAgent`. A function that runs other nodes needs it.
        retry_config: As for `BaseAgent`.
        timeout: As for `BaseAgent`.
        require_confirmation: Whether the user must approve the call first; or a function of the same arguments.
        parameter_binding: "node_input" to take parameters from the input, a dictionary, instead of the state.
        state_schema: As for `BaseAgent`.

    Raises:
        WorkflowConfigurationError: It is no function, has no name, or needs `rerun_on_resume`.
    """

    require_confirmation: Any = False
    parameter_binding: Literal["state", "node_input"] = "state"

    _code: _Code = PrivateAttr()

    def __init__(
        self,
        *,
        func: Callable[..., Any],
        name: str | None = None,
        rerun_on_resume: bool = False,
        retry_config: RetryConfig | None = None,
        timeout: float | None = None,
        require_confirmation: bool | Callable[..., Any] = False,
        parameter_binding: Literal["state", "node_input"] = "state",
        state_schema: type[BaseModel] | None = None,
    ) -> None:
        if not callable(func):
            raise WorkflowConfigurationError(f"{func!r} is no function.")
        inner = _inner(func)
        if not (name := name or getattr(func, "__name__", None) or getattr(inner, "__name__", None)):
            raise WorkflowConfigurationError(f"{func!r} has no name: give its node one, FunctionNode(func=…, name=…).")
        if require_confirmation and not rerun_on_resume:
            raise WorkflowConfigurationError(
                f"Node {name!r} with require_confirmation needs rerun_on_resume=True: it is run after the confirmation."
            )
        fields: dict[str, Any] = {
            "name": name,
            "description": inspect.cleandoc(inner.__doc__ or ""),
            "rerun_on_resume": rerun_on_resume,
            "retry_config": retry_config,
            "timeout": timeout,
            "require_confirmation": require_confirmation,
            "parameter_binding": parameter_binding,
            "state_schema": state_schema,
        }
        super().__init__(**fields)
        self._code = code = _Code.of(func, inner)
        hints = code.hints
        given, returned = hints.get("node_input"), hints.get("return")
        if code.kind.endswith("generator"):
            returned = next(iter(get_args(returned)), None)
        if _is_model(given) and self.parameter_binding == "state":
            self.input_schema = given
        if _is_model(returned) and not issubclass(returned, Event | RequestInput | types.Content):
            self.output_schema = returned

    @property
    def runs_others(self) -> bool:
        """See `BaseNode`."""
        return self._code.runs_others

    @property
    def gives_one_item(self) -> bool:
        """See `BaseNode`."""
        return not self._code.kind.endswith("generator")

    @property
    def state_keys(self) -> list[str]:
        """The state keys that the function takes."""
        return [name for name, *_ in self._code.parameters if name != "node_input" and self.parameter_binding == "state"]

    @property
    def item_type(self) -> Any:
        """The type of the input, where the function says it."""
        return self._code.hints.get("node_input")

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._code.func

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        code = self._code
        values = self._arguments(code, ctx, node_input)
        if self.require_confirmation:
            ctx.tool_confirmation = confirmation_in(ctx)
            if ctx.tool_confirmation is not None and not ctx.tool_confirmation.confirmed:
                yield Event(output=REJECTED)
                return
            if ctx.tool_confirmation is None and await self._must_ask(values):
                shown = {name: value for name, value in values.items() if name != code.context_name}
                yield ask_to_confirm(ctx, self.name, shown)
                return
        match code.kind:
            case "async generator":
                async with aclosing(code.func(**values)) as items:
                    async for item in items:
                        yield self._as_item(item, ctx)
            case "generator":
                for item in code.func(**values):
                    yield self._as_item(item, ctx)
            case _:
                result = code.func(**values)
                yield self._as_item(await result if inspect.isawaitable(result) else result, ctx)

    @staticmethod
    def _as_item(item: Any, ctx: Context) -> Any:
        if item is None:
            ctx.collect_edits()
            return Event() if ctx.actions.state_delta else None  # as in ADK: the state is told before an output or a route
        if isinstance(item, types.Content):
            return Event(content=item)
        if isinstance(item, Event | RequestInput):
            return item
        return item.model_dump() if isinstance(item, BaseModel) else item

    def _arguments(self, code: _Code, ctx: Context, node_input: Any) -> dict[str, Any]:
        """The function's arguments.

        Raises:
            WorkflowDataError: One is missing.
            ValidationError: One does not fit its annotation.
        """
        values: dict[str, Any] = {}
        takes_state = self.parameter_binding == "state"
        source = ctx.state if takes_state else node_input
        for name, parameter, hint, adapter in code.parameters:
            value = node_input if takes_state and name == "node_input" else _found(source, name)
            if value is _EMPTY:
                if parameter.default is _EMPTY:
                    raise WorkflowDataError(
                        f'Missing value for parameter "{name}" of function "{self.name}". It was not found in '
                        f"{self.parameter_binding} and has no default value."
                    )
                values[name] = parameter.default
                continue
            if adapter is not None:
                if isinstance(value, types.Content):
                    value = payload_of(value, hint)
                value = adapter.validate_python(value)
            values[name] = value
        if code.takes_rest and not takes_state and isinstance(node_input, dict):
            values |= {name: value for name, value in cast("dict[str, Any]", node_input).items() if name not in values}
        if code.context_name is not None:
            values[code.context_name] = ctx
        return values

    async def _must_ask(self, values: dict[str, Any]) -> bool:
        needed = self.require_confirmation
        if not callable(needed):
            return bool(needed)
        taken = inspect.signature(needed).parameters
        answer = needed(**{name: value for name, value in values.items() if name in taken})
        return bool(await answer if inspect.isawaitable(answer) else answer)


def _found(source: Any, name: str) -> Any:
    """The value of that name in a state, a dictionary or a model."""
    if isinstance(source, BaseModel):
        return getattr(source, name, _EMPTY)
    return cast("State", source).get(name, _EMPTY) if isinstance(source, State | dict) else _EMPTY


def _inner(func: Callable[..., Any]) -> Callable[..., Any]:
    """The function in a partial, a method, or an object that can be called."""
    while isinstance(func, functools.partial):
        func = cast("Callable[..., Any]", func.func)
    return func if inspect.isroutine(func) or inspect.isclass(func) else getattr(func, "__call__")  # noqa: B004  its method


def _kind_of(inner: Callable[..., Any]) -> str:
    if inspect.isasyncgenfunction(inner):
        return "async generator"
    if inspect.isgeneratorfunction(inner):
        return "generator"
    return "async" if inspect.iscoroutinefunction(inner) else "sync"


def _hints(inner: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(getattr(inner, "__func__", inner), include_extras=True)
    except (TypeError, AttributeError, NameError):  # what cannot be resolved is not checked
        return {}


def _adapter(hint: Any) -> TypeAdapter[Any] | None:
    if hint is None or hint is Any:
        return None
    try:
        return adapter_of(hint)
    except (TypeError, PydanticSchemaGenerationError):
        return None


def _is_context(hint: Any) -> bool:
    options = get_args(hint) if get_origin(hint) in (Annotated, Union, UnionType) else (hint,)
    return any(inspect.isclass(option) and issubclass(option, ReadonlyContext) for option in options)


def _is_model(hint: Any) -> TypeGuard[type[BaseModel]]:
    return inspect.isclass(hint) and issubclass(hint, BaseModel)
