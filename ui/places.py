"""Finds what the address names, or shows why it cannot be found and what to do, and ends the page there.

Knows the run manager and the address; draws nothing but problems.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import streamlit as st

from agents.errors import DatabaseError, PipelineLoadError, PipelineNotFoundError
from ui import address, control_values, faults, runs
from ui.labels import plain
from ui.model_choices import SIMULATED
from ui.navigation import NothingToShow
from ui.terms import Terms

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from agents.pipeline import Pipeline
    from agents.runs import RunManager
    from agents.session import SessionSummary


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person is.

    Attributes:
        manager: Runs things.
        address: What the address says, with the pipeline filled in.
        pipelines: Those that can be run, title by name.
        pipeline: The one that the address names, or the first.
        sessions: The pipeline's sessions, last changed first.
        session: The session it names; None for a new one.
        running: Whether that session is running, here or in another process.
        faults: What is to go wrong in its next run, as far as the address can be read.
    """

    manager: RunManager
    address: address.Address
    pipelines: dict[str, str]
    pipeline: Pipeline
    sessions: list[SessionSummary]
    session: SessionSummary | None
    running: bool
    faults: faults.Faults

    @property
    def model(self) -> str:
        """The model for the next run."""
        return self.address.model or SIMULATED

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
        return Terms(self.model, self.faults.readable, self.chosen)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was set for a session that is not begun yet, by state key."""
        return control_values.read(self.pipeline.card, self.address.settings) if self.session is None else {}


def find() -> Place:
    """What the address names. Where there is no such thing, the page ends with a message instead."""
    runner = manager()
    here = address.current()
    pipelines = titles(runner)
    pipeline = _pipeline(runner, here.pipeline or next(iter(pipelines), ""), list(pipelines))
    here = replace(here, pipeline=pipeline.name)
    try:
        sessions = runner.sessions(pipeline.name)
    except DatabaseError as error:
        _database_problem(error)
    session = next((summary for summary in sessions if summary.id == here.session), None)
    running = session is not None and (session.status == "running" or runner.is_running(pipeline.name, session.id))
    return Place(runner, here, pipelines, pipeline, sessions, session, running, faults.read_all(here.faults))


def manager() -> RunManager:
    """The process's run manager. Where there can be none, the page ends with a message instead."""
    try:
        if runs.is_ready():
            return runs.manager()
        with st.spinner("Opening the sessions …"):
            return runs.manager()
    except DatabaseError as error:
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
            st.error(f"**The pipeline {plain(name)} could not be loaded.**", icon=":material/warning:")
            with st.expander("What went wrong", expanded=True):
                broken_pipeline(name, manager.catalog.broken.get(name, str(error)))
            _way_out(names[:1])
        raise NothingToShow from None


def broken_pipeline(name: str, traceback: str) -> None:
    """Says that a person's own pipeline cannot be loaded, and shows where."""
    last = traceback.strip().splitlines()[-1] if traceback.strip() else "no reason given"
    st.markdown(
        f"**{plain(name)}** failed when it was imported: {plain(last[:300])}  \n"
        "Mend its code, then start the playground again. Everything else works."
    )
    st.code(traceback, language="python", wrap_lines=True)


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
        f"another machine. Sessions of this playground are kept in `{runs.database()}`.",
        icon=":material/search_off:",
    )
    st.button("Start a new session", type="primary", key="leave", on_click=address.open_session, args=(pipeline.name, None))


def _database_problem(error: DatabaseError) -> NoReturn:
    with _whole_page():
        st.error(f"**The sessions cannot be opened.** {plain(str(error))}", icon=":material/database_off:")
        st.caption(f"Database: `{runs.database()}`")
        st.button("Try again", type="primary", key="try_again")
    raise NothingToShow


def _whole_page() -> DeltaGenerator:
    """Where a message stands when there is nothing else to show."""
    return st.container(key="whole_page", horizontal_alignment="center").container(width=720)


def _way_out(names: list[str]) -> None:
    with st.container(horizontal=True):
        for name in names:
            st.button(plain(name), key=f"leave_{name}", on_click=address.open_session, args=(name, None))
