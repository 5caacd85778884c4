"""The card of a team that is written as files: `card.toml` and `lesson.md` beside its agents, all of it optional."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agents.agent import BaseAgent
from agents.errors import PipelineLoadError
from agents.llm.llm_agent import LlmAgent
from agents.models.simulated.model import Simulation
from agents.models.simulated.stand_in import StandIn
from agents.pipeline import Card, Pipeline, all_agents
from agents.pipelines.plain_card import plain_card
from agents.storage.given_file import decoded, read_given

CARD = "card.toml"
_LESSON = "lesson.md"
_LARGEST = 250_000


def team_card(folder: Path, root_agent: BaseAgent, built_in: Callable[[str], Pipeline]) -> Card | None:
    """The card of a team; None without a `card.toml`. What it leaves out is told of the agents.

    Args:
        folder: The team's folder; its name is the team's.
        root_agent: The team.
        built_in: Gives a pipeline that comes with the playground, whose simulation the card may keep by `simulation`.

    Raises:
        PipelineLoadError: A file cannot be read, or says something that a card has not.
    """
    file = folder / CARD
    if not file.is_file():
        return None
    try:
        found: dict[str, Any] = tomllib.loads(_read(file))
        kept = _kept(found.pop("simulation", None), root_agent, built_in)
        if (lesson := folder / _LESSON).is_file():
            found["lesson"] = _read(lesson)
        plain = plain_card(folder.name, root_agent)
        usual = {name: getattr(plain, name) for name in Card.__dataclass_fields__}
        return TypeAdapter(Card).validate_python({**usual, **found, "simulation": kept}, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        raise PipelineLoadError(f"{file}: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from None
    except (ValueError, OSError) as error:
        raise PipelineLoadError(f"{file} cannot be used: {error}.") from None


def _read(file: Path) -> str:
    return decoded(read_given(file, most=_LARGEST))


def _kept(name: object, root_agent: BaseAgent, built_in: Callable[[str], Pipeline]) -> dict[str, Simulation]:
    """What a pipeline's simulation knows of agents with the instructions that it was made for, and of the calls of code.

    For an agent of the pipeline that has another instruction now, a stand-in says so.
    """
    if name is None:
        return {}
    if not isinstance(name, str) or not name.isidentifier() or not (Path(__file__).parent / name / CARD).is_file():
        raise ValueError(f"simulation names a pipeline that comes with the playground, and there is no {name!r}")
    origin = built_in(name)
    asked = [agent for agent in all_agents(origin.root_agent) if isinstance(agent, LlmAgent)]
    known = origin.card.simulation
    kept = {agent: known[agent] for agent in known.keys() - {agent.name for agent in asked}}
    for agent in all_agents(root_agent):
        if isinstance(agent, LlmAgent):
            same = [one for one in asked if one.name in known and _told(one) == _told(agent)]
            if made_for := next((one for one in same if one.name == agent.name), same[0] if same else None):
                kept[agent.name] = known[made_for.name]
            elif agent.name in {one.name for one in asked if one.name in known}:
                kept[agent.name] = StandIn(copy_of=name)
    return kept


def _told(agent: LlmAgent) -> tuple[str, bool]:
    """An agent's instruction: the text, or the name of the function that makes it."""
    told = agent.instruction
    return (told.strip(), False) if isinstance(told, str) else (getattr(told, "__name__", ""), True)
