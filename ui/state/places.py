"""Resolves the URL to a pipeline and a session. If there is no such thing, shows why and what to do, and ends the page."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from agents import (
    DatabaseError,
    DatabaseLostError,
    NotPermittedError,
    PipelineLoadError,
    PipelineNotFoundError,
    PlaygroundError,
    SessionFilter,
)
from agents.access import Action, Role
from ui.access import identity
from ui.state import address, imports, runs
from ui.state.navigation import NothingToShow, to_playbook
from ui.state.notices import action
from ui.state.options import control_values, model_choices
from ui.state.run_options import RunOptions, address_for
from ui.text.labels import plain, title_of
from ui.text.visible_text import visible

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from agents import SessionSummary, SummaryPage
    from agents.pipelines import LoadFailure, Pipeline
    from agents.runs import Preferences, RunManager

RECOVERY_SECONDS = 2.0
"""Seconds between two tries of a page that cannot read the database."""


LISTED = 40
"""Sessions of a pipeline that a page begins with; the list in the browser asks for more."""

LONGEST_REASON = 500
"""Characters of a reason that are shown above the full traceback."""


@dataclass(frozen=True)
class Place:
    """What the URL names, resolved. Derived values are computed once per script run.

    Attributes:
        manager: The process's run manager.
        address: The parsed URL, with the pipeline filled in.
        pipelines: Pipelines that can be run, name → title.
        pipeline: The one that the URL names, or the first.
        sessions: The pipeline's sessions, last changed first: the first page.
        session: The session that the URL names; None for a new one.
        running: Whether the session is running, here or in another process.
        preferences: The user's preferences.
    """

    manager: RunManager
    address: address.Address
    pipelines: dict[str, str]
    pipeline: Pipeline
    sessions: SummaryPage
    session: SessionSummary | None
    running: bool
    preferences: Preferences

    @cached_property
    def options(self) -> RunOptions:
        """The options of the next run."""
        session = self.session.id if self.session else None
        forked = self.session is not None and bool(self.session.origin)
        return RunOptions(self.pipeline, session, self.address, self.preferences, may_be_fork=forked)

    @cached_property
    def is_blocked(self) -> bool:
        """Whether the next run cannot start: a model lacks something, or a link lets the user only read."""
        return any(map(model_choices.missing, self.options.models)) or self.is_read_only

    @cached_property
    def is_read_only(self) -> bool:
        """Whether somebody who sees only what is shared with them may not continue this session."""
        session = self.session
        is_viewer = self.manager.user.role is Role.VIEWER
        return is_viewer and (session is None or not self.manager.may(Action.RUN, session.app_name, session.id))

    @cached_property
    def next_recorded(self) -> str | None:
        """The next recorded message, if the next run is a replay and has one left."""
        if not model_choices.is_replay(self.options.model):
            return None
        session = self.session.id if self.session else None
        return self.manager.models.next_message(self.options.model, self.pipeline.name, session)

    @property
    def samples(self) -> tuple[str, ...]:
        """Messages to run with one click: the pipeline's samples, or in a replay the next recorded message."""
        if not model_choices.is_replay(self.options.model):
            return self.pipeline.card.samples
        return (said,) if (said := self.next_recorded) else ()

    @property
    def playbook(self) -> tuple[str, int, int] | None:
        """Name, revision and number of bullets of the playbook that a session without events starts with; None if none."""
        control = next((control for control in self.pipeline.card.controls if control.kind == "playbook"), None)
        if control is None or (self.session is not None and self.session.events):
            return None
        with suppress(PlaygroundError, ValueError):
            here = self.session
            state = self.options.state if here is None else self.manager.sessions.state(self.pipeline.name, here.id)
            chosen = control_values.value_of(control, state)
            found = self.manager.playbooks(chosen or self.pipeline.name).playbook()
            return found.name, found.revision, len(found.active)
        return None

    @property
    def is_missing(self) -> bool:
        """Whether the URL names a session that does not exist."""
        return self.session is None and self.address.session is not None

    @property
    def is_waiting(self) -> bool:
        """Whether a run of the session waits for its turn, see Settings › Use."""
        return self.session is not None and self.session.status == "waiting"

    @property
    def is_paused(self) -> bool:
        """Whether the session waits for the user's answer."""
        return self.session is not None and self.session.status == "paused" and not self.running


def find() -> Place:
    """Resolves the URL, or ends the page with a message."""
    runner = manager()
    here = address.of_playground()
    pipelines = titles(runner)
    pipeline = _pipeline(runner, here.pipeline or next(iter(pipelines), ""), here.session, list(pipelines))
    here = replace(address_for(pipeline.name), pipeline=pipeline.name)
    try:
        sessions = runner.sessions.page(SessionFilter(app_name=pipeline.name), limit=LISTED)
        session = None
        with suppress(NotPermittedError):  # it is not there for them
            session = None if here.session is None else runner.sessions.find(pipeline.name, here.session)
        preferences = runner.models.preferences
    except DatabaseError as error:
        _database_problem(error, runner)
    if session is None and runner.user.role is Role.VIEWER:
        _what_is_shared(runner)
    # as in the log, whose end the view reports once
    running = session is not None and session.status in {"running", "waiting"}
    return Place(runner, here, pipelines, pipeline, sessions, session, running, preferences)


def _what_is_shared(runner: RunManager) -> NoReturn:
    """Shows somebody who sees only that what links share with them."""
    shared = sorted({thing for thing, _ in runner.links.bound(runner.user, now=time.time()).shared})
    with _whole_page():
        st.info(
            "**You see what is shared with you by a link.**"
            + ("" if shared else " Nothing is shared any more: ask for a new link."),
            icon=":material/link:",
        )
        for number, thing in enumerate(shared):
            if thing.kind == "playbook":
                to_playbook(f"Playbook {plain(thing.id)}", thing.id, address.current())
            elif (row := runner.sessions.find(thing.app_name, thing.id)) is not None:
                order = (thing.app_name, thing.id)
                st.button(plain(title_of(row.title)), key=f"shared_{number}", on_click=address.open_session, args=order)
    raise NothingToShow


def manager() -> RunManager:
    """The process's run manager. If it cannot be made, the page ends with a message."""
    try:
        if runs.is_ready():
            return runs.manager()
        with st.spinner("Opening the sessions …"):
            return runs.manager()
    except (DatabaseError, PipelineNotFoundError) as error:
        _database_problem(error)


def titles(manager: RunManager) -> dict[str, str]:
    """Names and titles of the pipelines that load; the others are in `catalog.broken` afterwards."""
    titles: dict[str, str] = {}
    for name in manager.catalog.names():
        with suppress(PipelineLoadError):
            titles[name] = manager.catalog.get(name).card.title or name
    return titles


def _pipeline(manager: RunManager, name: str, session: str | None, names: list[str]) -> Pipeline:
    try:
        return manager.catalog.get(name) if session is None else manager.pipeline_of(name, session)
    except PipelineNotFoundError:
        _missing_pipeline(name, names)
    except PipelineLoadError as error:
        with _whole_page():
            if failure := manager.catalog.broken.get(name):
                broken_pipeline(name, failure)
            else:  # still being imported
                st.info(plain(str(error)), icon=":material/hourglass_top:")
            imports.show(manager.catalog)
            _way_out(names[:1])
        raise NothingToShow from None


def broken_pipeline(name: str, failure: LoadFailure) -> None:
    """Shows why a user package cannot be used, with the traceback if there is one."""
    reason = failure.reason
    reason = reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}…"
    st.markdown(
        f"**{plain(name)}** cannot be loaded: {plain(reason)}  \n"
        "It is loaded again when its files are saved. Everything else works."
    )
    if failure.text != failure.reason:
        st.code(visible(failure.text), language=None, wrap_lines=True)


def _missing_pipeline(name: str, names: list[str]) -> NoReturn:
    with _whole_page():
        st.warning(
            f"**There is no pipeline named {plain(name[:100])}.** The link may be from another machine, or the pipeline "
            "was renamed. These are here:",
            icon=":material/search_off:",
        )
        _way_out(names)
    raise NothingToShow


def missing_session(pipeline: Pipeline) -> None:
    """Shows that the session in the URL does not exist, and offers a new one."""
    st.warning(
        f"**This session of {plain(pipeline.card.title)} is not here.** It may have been deleted, or the link is from "
        f"another machine.{_where()}",
        icon=":material/search_off:",
    )
    st.button("Start a new session", type="primary", key="leave", on_click=address.open_session, args=(pipeline.name, None))


def _where() -> str:
    """Says the owner where the sessions are."""
    return f" Sessions of this playground are kept in {plain(str(runs.database()))}." if identity.current().is_owner else ""


def _database_problem(error: DatabaseError | PipelineNotFoundError, runner: RunManager | None = None) -> NoReturn:
    with _whole_page():
        st.error(f"**The sessions cannot be opened.** {plain(str(error))}", icon=":material/database_off:")
        if identity.current().is_owner:
            st.caption(f"Database: {plain(str(runs.database()))}")
        with st.container(horizontal=True):
            st.button("Try again", type="primary", key="try_again")
            if isinstance(error, DatabaseLostError):
                st.button("Start with an empty database", key="make_database", on_click=_make_database)
    if runner is not None:
        _watch_database(runner)
    raise NothingToShow


@action
def _make_database() -> None:
    """Begins with an empty database in the place of one that was moved or deleted."""
    runs.manager().make_database()


@st.fragment(run_every=RECOVERY_SECONDS)
def _watch_database(runner: RunManager) -> None:
    """Redraws the page once the database can be read again."""
    try:
        runner.sessions.page(limit=0)
    except DatabaseError:
        return
    st.rerun()


def _whole_page() -> DeltaGenerator:
    """The container of a message that takes the place of a page."""
    return st.container(key="whole_page", horizontal_alignment="center").container(width=720)


def _way_out(names: list[str]) -> None:
    with st.container(horizontal=True):
        for name in names:
            st.button(f"Open {plain(name)}", key=f"leave_{name}", on_click=address.open_session, args=(name, None))
