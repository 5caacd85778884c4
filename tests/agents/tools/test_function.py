"""Functions as tools: what a model is told of them, and what it may pass."""

from __future__ import annotations

import enum
import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field

from agents import (
    CallbackContext,
    FunctionTool,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    ReadonlyContext,
    Session,
    ToolContext,
    exit_loop,
)
from agents.errors import ToolError

if TYPE_CHECKING:
    from collections import OrderedDict as OnlyForTypes


class Unit(enum.Enum):
    METRES = "m"
    FEET = "ft"


class Place(BaseModel):
    """Where."""

    name: str
    height: float = 0.0


def context() -> ToolContext:
    session = Session(id="s", app_name="app", user_id="u", state={"k": 1})
    agent = LlmAgent(name="a")
    run = InvocationContext(invocation_id="i", agent=agent, session=session, session_service=InMemorySessionService())
    return ToolContext(run, function_call_id="c")


def declared(func: Any) -> dict[str, Any]:
    declaration = FunctionTool(func)._get_declaration()
    return declaration.model_dump(exclude_none=True)


async def run(func: Any, **args: Any) -> Any:
    return await FunctionTool(func).run_async(args=args, tool_context=context())


# -- declarations


def measure(
    place: Place,
    unit: Unit,
    depth: int,
    tags: list[str],
    tool_context: ToolContext,
    mode: Literal["fast", "exact"] = "fast",
    note: Optional[str] = None,  # noqa: UP045  the older spelling must do as well
    limit: int | None = 3,
    *,
    factor: Annotated[float, Field(description="Multiplied with.", ge=0)] = 1.0,
) -> dict[str, Any]:
    """Measures how deep it is.

    Args:
        place: Where to measure.
    """
    return {
        "place": place,
        "unit": unit,
        "depth": depth,
        "tags": tags,
        "mode": mode,
        "note": note,
        "limit": limit,
        "factor": factor,
        "context": type(tool_context).__name__,
    }


def test_a_declaration_says_what_the_signature_and_the_docstring_say():
    assert declared(measure) == snapshot(
        {
            "description": """\
Measures how deep it is.

Args:
    place: Where to measure.\
""",
            "name": "measure",
            "parameters_json_schema": {
                "$defs": {
                    "Place": {
                        "description": "Where.",
                        "properties": {"name": {"type": "string"}, "height": {"default": 0.0, "type": "number"}},
                        "required": ["name"],
                        "type": "object",
                    },
                    "Unit": {"enum": ["m", "ft"], "type": "string"},
                },
                "properties": {
                    "place": {"$ref": "#/$defs/Place"},
                    "unit": {"$ref": "#/$defs/Unit"},
                    "depth": {"type": "integer"},
                    "tags": {"items": {"type": "string"}, "type": "array"},
                    "mode": {"default": "fast", "enum": ["fast", "exact"], "type": "string"},
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 3},
                    "factor": {"default": 1.0, "description": "Multiplied with.", "minimum": 0, "type": "number"},
                },
                "required": ["place", "unit", "depth", "tags"],
                "type": "object",
            },
        }
    )


def test_a_parameter_may_be_called_like_anything():
    def tool(title: str, model_config: int, copy: int, self_: int) -> None:
        """X."""

    assert list(declared(tool)["parameters_json_schema"]["properties"]) == ["title", "model_config", "copy", "self_"]


def test_without_hints_anything_goes_and_without_parameters_there_is_no_schema():
    def untyped(x, y=1):
        return x

    def none(tool_context) -> None:
        return None

    assert declared(untyped) == {
        "name": "untyped",
        "description": "",
        "parameters_json_schema": {"properties": {"x": {}, "y": {"default": 1}}, "required": ["x"], "type": "object"},
    }
    assert declared(none) == {"name": "none", "description": ""}
    assert declared(exit_loop)["name"] == "exit_loop"


def test_a_default_that_json_cannot_hold_is_left_out_of_the_declaration():
    def tool(x: Any = object, y: Any = Unit.FEET) -> str:
        return f"{x} {y}"

    properties = declared(tool)["parameters_json_schema"]["properties"]
    assert properties == {"x": {}, "y": {"default": "ft"}}


def test_hints_of_contexts_and_results_need_not_be_resolvable():
    def tool(tool_context: OnlyForTypes, x: int) -> OnlyForTypes:
        """X."""

    assert list(declared(tool)["parameters_json_schema"]["properties"]) == ["x"]


def test_a_hint_that_cannot_be_resolved_is_named():
    def tool(x: OnlyForTypes) -> None:
        """X."""

    with pytest.raises(ToolError, match="Tool 'tool' has a type hint that cannot be resolved: name 'OnlyForTypes'"):
        FunctionTool(tool)


@pytest.mark.parametrize("hint", [threading.Lock, Callable[[], int]])
def test_a_type_that_json_cannot_express_is_refused(hint):
    def tool(x) -> None:
        """X."""

    tool.__annotations__["x"] = hint
    with pytest.raises(ToolError, match=r"Tool 'tool' cannot be offered to a model: .* types that JSON can express"):
        declared(tool)


@pytest.mark.parametrize("kind", ["positional only", "variable"])
def test_parameters_that_go_by_position_are_refused(kind):
    def only(x: int, /) -> None:
        """X."""

    def variable(*x: int) -> None:
        """X."""

    with pytest.raises(ToolError, match="parameter 'x' can only be passed by position"):
        FunctionTool(only if kind == "positional only" else variable)


# -- arguments


@pytest.mark.anyio
async def test_arguments_are_checked_and_coerced():
    result = await run(measure, place={"name": "pier"}, unit="ft", depth="3", tags=["a"], note="n", factor=2)
    assert result == {
        "place": Place(name="pier"),
        "unit": Unit.FEET,
        "depth": 3,
        "tags": ["a"],
        "mode": "fast",
        "note": "n",
        "limit": 3,
        "factor": 2.0,
        "context": "ToolContext",
    }


def two(x: int, y: str = "y") -> str:
    """Two."""
    return f"{x}{y}"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({}, "x: Field required"),
        ({"x": "many"}, "x: Input should be a valid integer, unable to parse string as an integer"),
        ({"x": 1, "z": 2}, "z: Extra inputs are not permitted"),
        ({"y": 3}, "x: Field required; y: Input should be a valid string"),
        ({"p_x": 1}, "x: Field required; p_x: Extra inputs are not permitted"),
    ],
)
async def test_wrong_arguments_are_told_to_the_model(args, problem):
    assert await run(two, **args) == {
        "error": f"two was called with wrong arguments. {problem}. Its parameters are: x, y. Call it again."
    }


@pytest.mark.anyio
async def test_a_default_is_the_functions_own():
    mine: list[int] = []

    def tool(x: list[int] = mine) -> bool:
        return x is mine

    assert await run(tool) is True


@pytest.mark.anyio
async def test_other_keywords_are_passed_on_where_the_function_takes_any():
    def tool(x: int, **more: Any) -> Any:
        return x, more

    assert await run(tool, x=1, a="b") == (1, {"a": "b"})


# -- contexts


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kind", [ReadonlyContext, CallbackContext, ToolContext, ToolContext | None, Optional["ToolContext"]]
)
async def test_a_context_is_given_by_type_under_any_name(kind):
    def tool(x: int, where: Any = None) -> Any:
        return where.agent_name, where.state["k"], x

    tool.__annotations__["where"] = kind
    assert list(declared(tool)["parameters_json_schema"]["properties"]) == ["x"]
    assert await run(tool, x=2) == ("a", 1, 2)


@pytest.mark.anyio
async def test_a_model_cannot_pass_the_context():
    def tool(tool_context) -> str:
        return type(tool_context).__name__

    assert "tool_context: Extra inputs are not permitted" in (await run(tool, tool_context="mine"))["error"]


# -- all that can be called


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, by: int) -> int:
        self.count += by
        return self.count

    def method(self, by: int) -> int:
        """Counts, too."""
        return self(by)

    @classmethod
    def start(cls, at: int) -> int:
        """Starts."""
        return at

    @staticmethod
    def double(x: int) -> int:
        """Doubles."""
        return 2 * x


class AsyncCounter:
    async def __call__(self, by: int) -> int:
        """Counts later."""
        return by


def decorated(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


@decorated
async def wrapped(x: int) -> int:
    """Wrapped."""
    return x


def greet(name: str, secret: str, *, mark: str = "!") -> str:
    """Greets."""
    return f"{name}{secret}{mark}"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("func", "name", "description", "args", "result"),
    [
        (Counter(), "Counter", "Counts.", {"by": 2}, 2),
        (AsyncCounter(), "AsyncCounter", "Counts later.", {"by": 2}, 2),
        (Counter().method, "method", "Counts, too.", {"by": 3}, 3),
        (Counter.start, "start", "Starts.", {"at": 4}, 4),
        (Counter.double, "double", "Doubles.", {"x": 4}, 8),
        (wrapped, "wrapped", "Wrapped.", {"x": 5}, 5),
        (functools.partial(greet, "Ada"), "greet", "Greets.", {"secret": "x"}, "Adax!"),
        (functools.partial(functools.partial(greet, secret="s"), mark="?"), "greet", "Greets.", {"name": "Ada"}, "Adas?"),
        (lambda x: x, "<lambda>", "", {"x": 1}, 1),
    ],
)
async def test_anything_that_can_be_called_is_a_tool(func, name, description, args, result):
    tool = FunctionTool(func)
    assert (tool.name, tool.description) == (name, description)
    assert list(declared(func)["parameters_json_schema"]["properties"])[: len(args)] == list(args)
    assert await run(func, **args) == result


def test_what_a_partial_gives_is_not_shown_to_the_model():
    assert "s3cret" not in str(declared(functools.partial(greet, secret="s3cret")))


@pytest.mark.anyio
async def test_a_sync_function_runs_in_a_thread_and_an_async_one_does_not():
    async def here() -> int:
        return threading.get_ident()

    def there() -> int:
        return threading.get_ident()

    assert await run(there) != threading.get_ident()
    assert await run(here) == threading.get_ident()


@pytest.mark.anyio
async def test_a_function_of_the_tools_list_is_wrapped_once():
    agent = LlmAgent(name="a", tools=[two, FunctionTool(measure)])
    first, second = await agent.canonical_tools(), await agent.canonical_tools()
    assert [tool.name for tool in first] == ["two", "measure"]
    assert [one is other for one, other in zip(first, second, strict=True)] == [True, True]


@pytest.mark.anyio
async def test_state_that_a_tool_writes_is_recorded():
    def tool(tool_context: ToolContext) -> None:
        tool_context.state["k"] = 2
        tool_context.actions.escalate = True

    where = context()
    await FunctionTool(tool).run_async(args={}, tool_context=where)
    assert where.actions.model_dump(exclude_defaults=True) == {"state_delta": {"k": 2}, "escalate": True}
