"""Finds what the address names, or shows why it cannot be found and what to do, and ends the page there.

Knows the run manager and the address; draws nothing but problems.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import streamlit as st

from agents import DatabaseError, DatabaseLostError, PipelineLoadError, PipelineNotFoundError, PlaygroundError
from agents.pipelines import asks_run_model, last_line
from ui.playground import actions
from ui.state import address, agent_models, control_values, faults, imports, model_choices, runs
from ui.state.navigation import NothingToShow
from ui.state.run_options import Terms
from ui.text.labels import plain
from ui.text.visible_text import visible

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from agents import SessionSummary
    from agents.pipelines import Pipeline
    from agents.runs import Preferences, RunManager

RECOVERY_SECONDS = 2.0
"""How often a page that cannot read the database tries again by itself."""


LONGEST_REASON = 500
"""Characters of a reason that stand above the whole text."""


@dataclass(frozen=True)
class Place:
    """Where a person is. What follows from that is worked out once for a page that is drawn.

    Attributes:
        manager: Runs things.
        address: What the address says, with the pipeline filled in.
        pipelines: Those that can be run, title by name.
        pipeline: The one that the address names, or the first.
        sessions: The pipeline's sessions, last changed first.
        session: The session it names; None for a new one.
        running: Whether that session is running, here or in another process.
        faults: What is to go wrong in its next run, as far as the address can be read.
        preferences: What the person chose once for all sessions.
    """

    manager: RunManager
    address: address.Address
    pipelines: dict[str, str]
    pipeline: Pipeline
    sessions: list[SessionSummary]
    session: SessionSummary | None
    running: bool
    faults: faults.Faults
    preferences: Preferences

    @property
    def model(self) -> str:
        """The model for the next run."""
        return self.address.model or self.preferences.model

    @cached_property
    def llm_agents(self) -> dict[str, str]:
        """The pipeline's agents that ask a model, with what they bring along themselves."""
        return agent_models.llm_agents(self.pipeline.root_agent)

    @cached_property
    def agent_choices(self) -> agent_models.AgentModels:
        """What the address says of single agents' models."""
        return agent_models.read_all(self.address.agent_models, self.llm_agents)

    @cached_property
    def preferred_agent_models(self) -> Mapping[str, str]:
        """Models that single agents of this pipeline have unless the page says otherwise; a replay answers for all."""
        if model_choices.is_replay(self.model):
            return {}
        preferred = self.preferences.agent_models.get(self.pipeline.name, {})
        return {agent: model for agent, model in preferred.items() if agent in self.llm_agents}

    @cached_property
    def agent_models(self) -> dict[str, str]:
        """Models of single agents in the next run."""
        return agent_models.in_force(self.preferred_agent_models, self.agent_choices.readable)

    @cached_property
    def models(self) -> list[str]:
        """All models that the next run may ask, each once, beside those that the pipeline's agents name themselves."""
        asked = [self.model] if asks_run_model(self.pipeline.root_agent, self.agent_models) else []
        return list(dict.fromkeys([*asked, *self.agent_models.values()]))

    @cached_property
    def is_blocked(self) -> bool:
        """Whether a model of the next run lacks something, so that there can be none."""
        return any(map(model_choices.missing, self.models))

    @cached_property
    def next_recorded(self) -> str | None:
        """What comes next in the record, if the next run replays one that goes on."""
        if not model_choices.is_replay(self.model):
            return None
        session = self.session.id if self.session else None
        return self.manager.models.next_message(self.model, self.pipeline.name, session)

    @property
    def samples(self) -> tuple[str, ...]:
        """Messages to run with one click: the pipeline's; in a replay, what comes next in the record."""
        if not model_choices.is_replay(self.model):
            return self.pipeline.card.samples
        return (said,) if (said := self.next_recorded) else ()

    @property
    def playbook(self) -> tuple[str, int, int] | None:
        """Name, revision and number of bullets of the playbook that a session without events starts with, if it has one."""
        control = next((control for control in self.pipeline.card.controls if control.kind == "playbook"), None)
        if control is None or (self.session is not None and self.session.events):
            return None
        with suppress(PlaygroundError, ValueError):
            state = self.chosen if self.session is None else self.manager.state(self.pipeline.name, self.session.id)
            chosen = control_values.value_of(control, state)
            found = self.manager.playbooks(chosen or self.pipeline.name).playbook()
            return found.name, found.revision, len(found.active)
        return None

    @property
    def is_missing(self) -> bool:
        """Whether the address names a session that is not there."""
        return self.session is None and self.address.session is not None

    @property
    def is_paused(self) -> bool:
        """Whether the session waits for an answer of the person."""
        return self.session is not None and self.session.status == "paused" and not self.running

    @property
    def terms(self) -> Terms:
        """How the next message is run."""
        return Terms(self.model, self.faults.readable, self.chosen, self.agent_models)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was set for a session that is not begun yet, by state key."""
        return control_values.read(self.pipeline.card, self.address.settings) if self.session is None else {}


def find() -> Place:
    """What the address names. Where there is no such thing, the page ends with a message instead."""
    runner = manager()
    here = address.of_playground()
    pipelines = titles(runner)
    pipeline = _pipeline(runner, here.pipeline or next(iter(pipelines), ""), list(pipelines))
    here = replace(here, pipeline=pipeline.name)
    if here.model and model_choices.is_replay(here.model) and model_choices.recorded_in(here.model)[0] != pipeline.name:
        here = replace(here, model=None)  # it has nothing to say here
    try:
        sessions, preferences = _read(runner, pipeline.name)
    except DatabaseError as error:
        _database_problem(error, runner)
    session = next((summary for summary in sessions if summary.id == here.session), None)
    running = session is not None and (session.status == "running" or runner.is_running(pipeline.name, session.id))
    wrong = faults.read_all(here.faults)
    return Place(runner, here, pipelines, pipeline, sessions, session, running, wrong, preferences)


def manager() -> RunManager:
    """The process's run manager. Where there can be none, the page ends with a message instead."""
    try:
        if runs.is_ready():
            return runs.manager()
        with st.spinner("Opening the sessions …"):
            return runs.manager()
    except (DatabaseError, PipelineNotFoundError) as error:
        _database_problem(error)


def titles(manager: RunManager) -> dict[str, str]:
    """The pipelines that load; the others are in `catalog.broken` afterwards."""
    titles: dict[str, str] = {}
    for name in manager.catalog.names():
        with suppress(PipelineLoadError):
            titles[name] = manager.catalog.get(name).card.title or name
    return titles


def _pipeline(manager: RunManager, name: str, names: list[str]) -> Pipeline:
    try:
        return manager.catalog.get(name)
    except PipelineNotFoundError:
        _missing_pipeline(name, names)
    except PipelineLoadError as error:
        with _whole_page():
            if name in manager.catalog.broken:
                st.error(f"**The pipeline {plain(name)} cannot be used.**", icon=":material/warning:")
                with st.expander("What went wrong", expanded=True):
                    broken_pipeline(name, manager.catalog.broken[name])
            else:  # it is still being imported
                st.info(plain(str(error)), icon=":material/hourglass_top:")
            imports.show(manager.catalog)
            _way_out(names[:1])
        raise NothingToShow from None


def broken_pipeline(name: str, traceback: str) -> None:
    """Says why a user package cannot be used, and shows where."""
    reason = last_line(traceback)
    reason = reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}…"
    st.markdown(
        f"**{plain(name)}** cannot be loaded: {plain(reason)}  \n"
        "Change its code, then start the playground again. Everything else works."
    )
    st.code(visible(traceback), language="python", wrap_lines=True)


def _missing_pipeline(name: str, names: list[str]) -> NoReturn:
    with _whole_page():
        st.warning(
            f"**There is no pipeline named {plain(name[:100])}.** The link may be from another machine, or the pipeline "
            "was renamed. Open one of those that are here:",
            icon=":material/search_off:",
        )
        _way_out(names)
    raise NothingToShow


def missing_session(pipeline: Pipeline) -> None:
    """Says that the session in the address is not there, and offers a new one."""
    st.warning(
        f"**This session of {plain(pipeline.card.title)} is not here.** It may have been deleted, or the link is from "
        f"another machine. Sessions of this playground are kept in {plain(str(runs.database()))}.",
        icon=":material/search_off:",
    )
    st.button("Start a new session", type="primary", key="leave", on_click=address.open_session, args=(pipeline.name, None))


def _database_problem(error: DatabaseError | PipelineNotFoundError, runner: RunManager | None = None) -> NoReturn:
    with _whole_page():
        st.error(f"**The sessions cannot be opened.** {plain(str(error))}", icon=":material/database_off:")
        st.caption(f"Database: {plain(str(runs.database()))}")
        with st.container(horizontal=True):
            st.button("Try again", type="primary", key="try_again")
            if isinstance(error, DatabaseLostError):
                st.button("Start with an empty database", key="make_database", on_click=actions.make_database)
    if runner is not None:
        _watch_database(runner)
    raise NothingToShow


@st.fragment(run_every=RECOVERY_SECONDS)
def _watch_database(runner: RunManager) -> None:
    """Draws nothing: has the page drawn anew once the database can be read again."""
    try:
        _read(runner, None)
    except DatabaseError:
        return
    st.rerun()


def _read(runner: RunManager, pipeline: str | None) -> tuple[list[SessionSummary], Preferences]:
    return runner.sessions(pipeline), runner.models.preferences


def _whole_page() -> DeltaGenerator:
    """Where a message stands when there is nothing else to show."""
    return st.container(key="whole_page", horizontal_alignment="center").container(width=720)


def _way_out(names: list[str]) -> None:
    with st.container(horizontal=True):
        for name in names:
            st.button(plain(name), key=f"leave_{name}", on_click=address.open_session, args=(name, None))
