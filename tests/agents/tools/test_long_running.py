"""Tools whose result comes later, by themselves; `test_pausing.py` has what runs make of them."""

from __future__ import annotations

import pytest

from agents import FunctionTool, LongRunningFunctionTool
from agents.errors import ToolError


def order(what: str) -> None:
    """Orders something."""


def silent(what: str) -> None: ...


def test_it_is_a_function_tool_that_takes_its_time():
    tool = LongRunningFunctionTool(order)
    assert isinstance(tool, FunctionTool)
    assert (tool.name, tool.is_long_running, FunctionTool(order).is_long_running) == ("order", True, False)


@pytest.mark.parametrize(("func", "begins"), [(order, "Orders something.\n\nThis starts"), (silent, "This starts")])
def test_the_model_is_told_not_to_call_it_again(func, begins):
    tool = LongRunningFunctionTool(func)
    assert tool._get_declaration().description.startswith(begins)
    assert tool._get_declaration().description == tool._get_declaration().description


def test_what_cannot_be_offered_is_refused():
    with pytest.raises(ToolError, match="cannot be offered to a model"):
        LongRunningFunctionTool(lambda *parts: None)
