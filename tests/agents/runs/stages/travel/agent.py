"""A guide who looks up the weather of two cities at once, and a writer who needs a state key that nobody sets."""

from __future__ import annotations

from typing import Any

from agents import LlmAgent, SequentialAgent
from agents.models.simulated.model import Reply, SimulatedRequest


def weather(city: str) -> dict[str, Any]:
    """The weather of a city."""
    return {"city": city, "sky": "sunny"}


def guide(request: SimulatedRequest) -> Reply | str:
    """Asks for both cities, and repeats what it is told."""
    parts = [part for content in request.contents for part in content.parts or ()]
    told = [part.function_response.response or {} for part in parts if part.function_response]
    if not told:
        return Reply(calls=[("weather", {"city": "Oslo"}), ("weather", {"city": "Bergen"})])
    return ", ".join(f"{one.get('city')} {one.get('sky')}" for one in told)


def writer(request: SimulatedRequest) -> str:
    """Repeats its instruction."""
    return f"My tone is {request.instruction.partition('Tone: ')[2]}."


root_agent = SequentialAgent(
    name="Travel",
    sub_agents=[LlmAgent(name="Guide", tools=[weather]), LlmAgent(name="Writer", instruction="Tone: {tone}")],
)
SIMULATION = {"Guide": guide, "Writer": writer}
