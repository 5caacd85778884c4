"""What the next run of a page takes: its model, models of single agents, faults, and a new session's first state."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agents import PlaygroundError
from agents.pipelines import asks_run_model
from ui.state import address, runs
from ui.state.options import agent_models, control_values, faults, model_choices

if TYPE_CHECKING:
    from agents.pipelines import Pipeline
    from agents.runs import Preferences


@dataclass(frozen=True)
class RunOptions:
    """Options of the next run, as the address and the preferences say. Each is computed once.

    A callback makes its own: a choice and the message after it can reach the server before the page is drawn again, so what
    the page was drawn with is too old by then.

    Attributes:
        pipeline: The pipeline.
        session: The session's id; None for a new one.
        address: The address of the page, see `address_for`.
        preferences: The user's preferences.
        may_be_fork: Whether the session may be a fork; only then the models that it was made with are looked up.
    """

    pipeline: Pipeline
    session: str | None
    address: address.Address
    preferences: Preferences
    may_be_fork: bool = True

    @property
    def model(self) -> str:
        """The model of agents that name none."""
        return self.fork_models[0] or self.address.model or self.preferences.model

    @cached_property
    def fork_models(self) -> tuple[str | None, dict[str, str]]:
        """The models that a fork was made with, see `BackgroundForks.models`; none of another session."""
        if self.session is not None and self.may_be_fork:
            with suppress(PlaygroundError):  # a run says what is wrong with it
                return runs.workspace().forks.models(self.pipeline.name, self.session)
        return None, {}

    @cached_property
    def llm_agents(self) -> dict[str, str]:
        """The pipeline's agents that call a model: name → their own model, in words."""
        return agent_models.llm_agents(self.pipeline.root_agent)

    @cached_property
    def agent_choices(self) -> agent_models.AgentModels:
        """Models of single agents in the address."""
        return agent_models.read_all(self.address.agent_models, self.llm_agents)

    @cached_property
    def preferred_agent_models(self) -> Mapping[str, str]:
        """Models of single agents in the preferences; none in a replay, which answers for all agents."""
        if model_choices.is_replay(self.model):
            return {}
        preferred = self.preferences.agent_models.get(self.pipeline.name, {})
        return {agent: model for agent, model in preferred.items() if agent in self.llm_agents}

    @cached_property
    def agent_models(self) -> dict[str, str]:
        """Models of single agents, by agent name."""
        return agent_models.in_force(self.preferred_agent_models, self.agent_choices.readable) | self.fork_models[1]

    @cached_property
    def models(self) -> list[str]:
        """All models that the run may call, each once, without those that the pipeline's agents name themselves."""
        asked = [self.model] if asks_run_model(self.pipeline.root_agent, self.agent_models) else []
        return list(dict.fromkeys([*asked, *self.agent_models.values()]))

    @cached_property
    def faults(self) -> faults.Faults:
        """Faults to inject, and the texts in the address that could not be read."""
        return faults.read_all(self.address.faults)

    @cached_property
    def state(self) -> dict[str, Any]:
        """First state of a session that has not begun, as its controls are set; {} of one that has."""
        return control_values.read(self.pipeline.card, self.address.settings) if self.session is None else {}


def of_page(pipeline: str, session: str | None) -> RunOptions:
    """The options as the page's address says now.

    Raises:
        PipelineNotFoundError: There is no such pipeline.
        DatabaseError: The preferences cannot be read.
    """
    found = runs.manager().catalog.get(pipeline)
    return RunOptions(found, session, address_for(pipeline), runs.manager().models.preferences)


def address_for(pipeline: str) -> address.Address:
    """The address of the Playground page, without a replay of another pipeline: that has no answers for this one."""
    here = address.of_playground()
    if here.model and model_choices.is_replay(here.model) and model_choices.recorded_in(here.model)[0] != pipeline:
        return replace(here, model=None)
    return here
