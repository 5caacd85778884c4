"""Functions as tools: declared from their signature, called with arguments that pydantic has checked.

A model is sent the declaration as JSON schema.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from agents.errors import ToolError
from agents.model import copy_with
from agents.runtime.context import ReadonlyContext, ToolContext
from agents.tool import BaseTool

CONTEXT_NAME = "tool_context"
_TOLD = ("$defs", "properties", "required", "type")


class _SchemaOfArguments(GenerateJsonSchema):
    """Leaves out defaults that JSON cannot hold."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012  as in the base


class FunctionTool(BaseTool):
    """A function that a model may call.

    The model is sent its name, docstring, parameters and type hints. A parameter that is called `tool_context`, or
    annotated as a context, receives the context and is not shown to the model. Arguments that are
    missing, unknown or of the wrong type are answered to the model as `{"error": …}`. A synchronous function runs in a
    thread: a stopped run does not wait for it, and its result is dropped.

    Args:
        func: A function, method, partial or object with `__call__`, sync or async.
        require_confirmation: Whether the user must approve the call first; or a function, sync or async, that decides
            it from the same arguments, and the context if it takes one.
        raise_on_error: Whether an error of the function ends the run; otherwise the model is sent the error.
        read_only_hint: As for `BaseTool`: False for a function that changes something outside the session.

    Raises:
        ToolError: The signature cannot be offered to a model.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        *,
        require_confirmation: bool | Callable[..., Any] = False,
        raise_on_error: bool = False,
        read_only_hint: bool = True,
    ) -> None:
        plain = _without_partial(func)
        name = getattr(plain, "__name__", None) or type(plain).__name__
        described = plain if inspect.isroutine(plain) else type(plain).__call__ if plain.__doc__ is None else plain
        description = inspect.cleandoc(described.__doc__ or "")
        super().__init__(name=name, description=description, read_only_hint=read_only_hint)
        self.func = func
        self.raise_on_error = raise_on_error
        self.require_confirmation = require_confirmation
        self._is_async = inspect.iscoroutinefunction(plain if inspect.isroutine(plain) else type(plain).__call__)
        self._context_names: list[str] = []
        self._takes_any = False
        self._arguments = self._arguments_model()
        self._declaration = self._declared()

    def _arguments_model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {}
        hints = _hints(self.func)
        given = _given_by_partial(self.func)
        for name, parameter in inspect.signature(self.func).parameters.items():
            hint = hints.get(name, Any)
            if name == CONTEXT_NAME or _is_context(hint):
                self._context_names.append(name)
            elif name in given:
                continue
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                self._takes_any = True
            elif parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY):
                raise ToolError(
                    f"Tool {self.name!r} cannot be offered to a model: parameter {name!r} can only be passed by position, "
                    "and models pass arguments by name. Make it an ordinary parameter."
                )
            else:
                default = ... if parameter.default is inspect.Parameter.empty else parameter.default
                fields[f"p_{name}"] = (hint, Field(default=default, alias=name))
        try:
            return create_model(
                self.name,
                __config__=ConfigDict(extra="forbid" if not self._takes_any else "allow", arbitrary_types_allowed=False),
                **fields,
            )
        except Exception as error:
            raise self._unfit(error) from error

    def _unfit(self, error: Exception) -> ToolError:
        return ToolError(
            f"Tool {self.name!r} cannot be offered to a model: {str(error).splitlines()[0]} "
            "Annotate its parameters with types that JSON can express: str, int, float, bool, list, dict, enums, models."
        )

    def _json_schema(self) -> dict[str, Any]:
        try:
            schema = self._arguments.model_json_schema(schema_generator=_SchemaOfArguments)
        except PydanticInvalidForJsonSchema as error:
            raise self._unfit(error) from error
        return {key: _without_titles(value) for key, value in parameters_in(schema).items()}

    def _declared(self) -> types.FunctionDeclaration:
        schema = self._json_schema()
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=schema if schema["properties"] else None
        )

    def _get_declaration(self) -> types.FunctionDeclaration:
        return copy_with(self._declaration)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Checks `args` and calls the function; see `BaseTool.run_async`."""
        try:
            checked = self._arguments.model_validate(args)
        except ValidationError as error:
            return {"error": self._explain(error)}
        given = checked.model_fields_set
        values = {name.removeprefix("p_"): value for name, value in checked.__dict__.items() if name in given}
        values |= checked.model_extra or {}
        if self.require_confirmation and (refusal := await self._refusal(checked, tool_context)) is not None:
            return refusal
        values |= dict.fromkeys(self._context_names, tool_context)
        if self._is_async:
            return await self.func(**values)
        result = await asyncio.to_thread(self.func, **values)
        return await result if inspect.isawaitable(result) else result

    async def _refusal(self, checked: BaseModel, tool_context: ToolContext) -> dict[str, Any] | None:
        """The result in place of a call: the user was not asked yet, or rejected it."""
        values = {name.removeprefix("p_"): getattr(checked, name) for name in type(checked).model_fields}
        values |= checked.model_extra or {}
        return await confirmation_of(self.name, self.require_confirmation, values, tool_context)

    def _explain(self, error: ValidationError) -> str:
        names = (field.alias or "" for field in self._arguments.model_fields.values())
        return explain_arguments(self.name, error, names)


async def confirmation_of(
    tool: str, needed: bool | Callable[..., Any], values: dict[str, Any], tool_context: ToolContext, *, why: str = ""
) -> dict[str, Any] | None:
    """The result in place of a call that the user must approve and was not asked about yet, or rejected; None to call.

    Args:
        tool: The tool's name.
        needed: Whether the user must approve it; or a function, sync or async, that decides it from `values`.
        values: The arguments.
        tool_context: The call.
        why: Sentences that the user is shown.
    """
    if callable(needed):
        needed = _called(needed, values, tool_context)
        needed = await needed if inspect.isawaitable(needed) else needed
    if not needed:
        return None
    if (said := tool_context.tool_confirmation) is None:
        tool_context.request_confirmation(hint=f"{tool} is to be called. {why}May it?")
        return {"error": f"{tool} needs the user's confirmation first."}
    return None if said.confirmed else {"error": f"The call of {tool} was rejected."}


def _called(predicate: Callable[..., Any], values: dict[str, Any], tool_context: ToolContext) -> Any:
    """Calls `predicate` with the arguments that it takes; it may declare defaults of its own."""
    hints = _hints(predicate)
    given: dict[str, Any] = {}
    for name, parameter in inspect.signature(predicate).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            given = {**values, **given}
        elif name == CONTEXT_NAME or _is_context(hints.get(name, Any)):
            given[name] = tool_context
        elif name in values:
            given[name] = values[name]
    return predicate(**given)


def _without_partial(func: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(func, functools.partial):
        func = cast("Callable[..., Any]", func.func)
    return func


def _given_by_partial(func: Callable[..., Any]) -> set[str]:
    """Arguments that a partial already binds by name; the model does not see them."""
    names: set[str] = set()
    while isinstance(func, functools.partial):
        names.update(func.keywords)
        func = cast("Callable[..., Any]", func.func)
    return names


def _hints(func: Callable[..., Any]) -> dict[str, Any]:
    plain = _without_partial(func)
    target = plain if inspect.isroutine(plain) else type(plain).__call__
    target = inspect.unwrap(getattr(target, "__func__", target))
    needed = {name: hint for name, hint in inspect.get_annotations(target).items() if name not in ("return", CONTEXT_NAME)}
    try:
        return get_type_hints(
            SimpleNamespace(__annotations__=needed), getattr(target, "__globals__", {}), include_extras=True
        )
    except NameError as error:
        raise ToolError(
            f"Tool {getattr(plain, '__name__', plain)!r} has a type hint that cannot be resolved: {error}. "
            "Import the type where the function's module can see it at run time."
        ) from error


def _is_context(hint: Any) -> bool:
    """Whether a parameter is a context, or an optional one."""
    options = get_args(hint) if get_origin(hint) in (Annotated, Union, UnionType) else (hint,)
    return any(inspect.isclass(option) and issubclass(option, ReadonlyContext) for option in options)


def _without_titles(schema: Any) -> Any:
    """JSON schema without pydantic's `title`s: they repeat the names, and every token is sent."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    items = cast("dict[str, Any]", schema).items()
    return {key: _without_titles(value) for key, value in items if key != "title" or not isinstance(value, str)}


def parameters_in(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters in an object's JSON schema, without its title and description."""
    return {key: value for key, value in schema.items() if key in _TOLD}


def explain_arguments(tool: str, error: ValidationError, parameters: Iterable[str]) -> str:
    """The errors in a call of `tool` and its parameters, so that the model can call it again."""
    problems = "; ".join(f"{'.'.join(str(step) for step in e['loc']) or 'arguments'}: {e['msg']}" for e in error.errors())
    return (
        f"{tool} was called with wrong arguments. {problems}. "
        f"Its parameters are: {', '.join(parameters) or 'none'}. Call it again."
    )
