"""Packages of a user's own, as files."""

from __future__ import annotations

from pathlib import Path

SHOP = {
    "agent.py": '''
"""A shop."""

import math as m
from functools import partial

from pydantic import BaseModel

from agents import AgentTool, BaseAgent, CallbackContext, Event, LlmAgent, SequentialAgent, ToolContext
from google.genai import types

from . import prices
from .prices import total as total_of

_LIMIT = 3
_NAMES = tuple(sorted(prices.PRICES))


class Order(BaseModel):
    """An order."""

    item: str
    count: int = 1


class Counter(BaseAgent):
    """Counts."""

    step: int = 1

    async def _run_async_impl(self, ctx):
        count = ctx.session.state.get("count", 0) + self.step
        part = types.Part(text=f"count {count} of {_LIMIT}")
        yield Event(author=self.name, invocation_id=ctx.invocation_id, content=types.Content(role="model", parts=[part]))


def buy(item: str, tool_context: ToolContext) -> dict:
    """Buys an item.

    Args:
        item: Which one.
        tool_context: The state.
    """
    # _LIMIT is the module's, and so is prices; total is local
    total = prices.total([item]) + total_of([]) + m.floor(0.5)
    tool_context.state["paid"] = total
    return {"item": item, "total": total, "names": list(_NAMES), "half": half(total)}


def half(value: float) -> float:
    return value / 2 if _LIMIT else prices.LIMIT


def begin(callback_context: CallbackContext) -> None:
    callback_context.state["count"] = 1


def look(where: str, what: str) -> str:
    """Looks."""
    return f"{where}: {what}"


buyer = LlmAgent(
    name="Buyer",
    instruction="Buy with {'braces': 1} and \\\\ and a \\"quote\\"",
    tools=[buy, partial(look, "here")],
    generate_content_config=types.GenerateContentConfig(temperature=0.5, max_output_tokens=100),
)
clerk = LlmAgent(name="Clerk", description="Takes orders.", input_schema=Order)
desk = LlmAgent(name="Desk", tools=[AgentTool(clerk)], output_key="said")
root_agent = SequentialAgent(
    name="Shop", sub_agents=[buyer, Counter(name="One", step=2), desk], before_agent_callback=begin
)
''',
    "prices.py": '''
"""Prices."""

import json
from pathlib import Path

PRICES = json.loads(Path(__file__).with_name("prices.json").read_text())
_LIMIT = 100
LIMIT = _LIMIT + 1


def total(items):
    """The sum of prices."""
    return sum(min(PRICES.get(item, 1), _LIMIT) for item in items)
''',
    "prices.json": '{"bread": 4, "cake": 500}',
    "card.py": """
from agents.models.simulated.model import Reply
from agents.pipeline import Card

card = Card(
    title="Shop", pattern="x", summary="x", lesson="x", samples=("cake",), ends_when="x",
    simulation={
        "Buyer": lambda request: "Bought." if request.tool_results() else Reply(calls=[("buy", {"item": "cake"})]),
        "Desk": lambda request: "Done.",
    },
)
""",
}
"""What can be written: relative imports, names that two modules have, a value from a file, a partial, a class of its own."""

CLOSURES = {
    "agent.py": '''
from agents import BaseAgent, Event, LlmAgent, SequentialAgent
from google.genai import types


class Fixed(BaseAgent):
    """Says something."""

    def __init__(self, said):
        super().__init__(name=f"Says{said}")
        object.__setattr__(self, "_said", said)

    async def _run_async_impl(self, ctx):
        part = types.Part(text=vars(self)["_said"])
        yield Event(author=self.name, invocation_id=ctx.invocation_id, content=types.Content(role="model", parts=[part]))


def adder(amount):
    def add(value: int) -> int:
        """Adds."""
        return value + amount

    return add


root_agent = SequentialAgent(
    name="Odd",
    sub_agents=[
        Fixed("Hi"),
        LlmAgent(name="Adder", tools=[adder(2)]),
        LlmAgent(name="Teller", instruction="Tell.", before_model_callback=lambda callback_context, llm_request: None),
    ],
)
SIMULATION = {"Adder": lambda request: "added", "Teller": lambda request: "told"}
''',
}
"""What cannot: a constructor of its own, a closure, a lambda."""


def written(folder: Path, name: str, files: dict[str, str]) -> None:
    """Puts a package into a folder."""
    package = folder / name
    package.mkdir(parents=True)
    for file, text in files.items():
        (package / file).write_text(text, encoding="utf-8")
