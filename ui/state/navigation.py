"""Navigation: links in the sidebar, and links from one page to a place on another.

A link keeps the chosen model and the user's last place in the Playground.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import streamlit as st

from agents.access import Role
from ui.access import identity, sign_ins
from ui.dependencies import streamlit_private
from ui.shell.page_scripts import top_of_page
from ui.state import address
from ui.state.address import Address
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from agents import SessionSummary

PLAYGROUND, GALLERY, LESSONS, BUILD, PLAYBOOK = "playground.py", "gallery.py", "lessons.py", "build.py", "playbook.py"
SESSIONS, LAB, SETTINGS, DEMO, HELP = "sessions.py", "lab.py", "settings.py", "demo.py", "help.py"
"""The pages' files, relative to the main script, as `st.switch_page` takes them."""


class NothingToShow(Exception):  # noqa: N818  not an error: the page is complete
    """Ends a page early, after it has shown the reason."""


_LAST, _PLACE = "playground_address", "place"
_LAST_PLAYBOOK, _LAST_TEAM = "playbook_address", "team_address"
_TOPICS = {
    "Playground": "see-a-run",
    "Gallery": "patterns",
    "Lessons": "lessons",
    "Build": "build",
    "Playbook": "playbooks",
    "Sessions": "sessions",
    "Lab": "lab",
    "Demo": "lab-results",
    "Settings": "models",
}
"""A page's title → the page of the documents that explains it."""


def pages() -> list[Any]:
    """All pages. The first one is at the root URL."""
    return list(map(copy, _pages()))  # Streamlit marks the one that it runs


@cache
def _pages() -> list[Any]:
    """The same, made once: each looks for its file, folder by folder."""
    return [
        st.Page(PLAYGROUND, title="Playground", default=True),
        st.Page(GALLERY, title="Gallery", url_path="gallery"),
        st.Page(LESSONS, title="Lessons", url_path="lessons"),
        st.Page(BUILD, title="Build", url_path="build"),
        st.Page(PLAYBOOK, title="Playbook", url_path="playbook"),
        st.Page(SESSIONS, title="Sessions", url_path="sessions"),
        st.Page(LAB, title="Lab", url_path="lab"),
        st.Page(SETTINGS, title="Settings", url_path="settings"),
        st.Page(DEMO, title="Demo", url_path="demo"),
        st.Page(HELP, title="Help", url_path="help"),
    ]


def is_viewer() -> bool:
    """Whether the user sees nothing but what links share with them."""
    return identity.current().role is Role.VIEWER


def check(current: str) -> None:
    """Ends a page that shows nothing of what links share, for those who see nothing else."""
    if is_viewer() and current not in {"Playground", "Playbook", "Help"}:
        st.info(
            "This page is for those who are signed in. You see what is shared with you by a link.", icon=":material/link:"
        )
        st.page_link(PLAYGROUND, label="What is shared with you", width="content")
        raise NothingToShow


def show(current: str) -> None:
    """Draws the links.

    Args:
        current: Title of the page that is open.
    """
    here = address.current()
    if current == "Playground":
        st.session_state[_LAST] = address.of_playground().parameters()
    if current == "Playbook":
        st.session_state[_LAST_PLAYBOOK] = replace(here, bullet=None, model=None).parameters()
    if current == "Build":
        st.session_state[_LAST_TEAM] = Address(team=here.team, member=here.member, session=here.session).parameters()
    with st.container(key="pages", gap="xxsmall"):
        _link(PLAYGROUND, "Playground", ":material/play_circle:", _back(here))
        if is_viewer():
            _link(PLAYBOOK, "Playbook", ":material/menu_book:", _kept(here))
            _link(HELP, "Help", ":material/help:", Address(topic=topic_of(current, here)).parameters())
        else:
            _other_pages(current, here)
    if (account := identity.account()) is not None:
        with st.container(key="signed_in", horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.caption(f"{plain(account.name)} · {account.role}", width="stretch")
            st.button("Sign out", key="sign_out", type="tertiary", on_click=_sign_out)


def _other_pages(current: str, here: Address) -> None:
    _link(GALLERY, "Gallery", ":material/school:", _kept(here))
    _link(LESSONS, "Lessons", ":material/checklist:", Address(model=here.model, language=here.language).parameters())
    last_team = {} if current == "Build" else st.session_state.get(_LAST_TEAM, {})
    _link(BUILD, "Build", ":material/construction:", last_team | _kept(here))
    _link(PLAYBOOK, "Playbook", ":material/menu_book:", st.session_state.get(_LAST_PLAYBOOK, {}) | _kept(here))
    _link(SESSIONS, "Sessions", ":material/forum:", _kept(here))
    _link(LAB, "Lab", ":material/science:", _kept(here))
    _link(DEMO, "Demos", ":material/slideshow:", _kept(here))
    _link(SETTINGS, "Settings", ":material/settings:", _kept(here))
    _link(HELP, "Help", ":material/help:", Address(model=here.model, topic=topic_of(current, here)).parameters())


def _sign_out() -> None:
    """Ends this browser's sign-in; the next message of any of its tabs leads to the page to sign in."""
    if (sign_in := sign_ins.in_cookies(st.context.cookies)) is not None:
        identity.sign_out(sign_in)


def topic_of(current: str, here: Address) -> str | None:
    """The page of the documents that explains what is open; None for their list.

    Args:
        current: Title of the page that is open.
        here: Its address.
    """
    if current == "Sessions" and here.compare:
        return "forks"
    if current == "Sessions" and here.tab == "cases":
        return "cases"
    return _TOPICS.get(current)


def to_playbook_page(there: Address) -> NoReturn:
    """Switches to a place on the Playbook page."""
    st.switch_page(PLAYBOOK, query_params=there.parameters())


def to_demo_page(there: Address) -> NoReturn:
    """Switches to a demo of the Lab."""
    st.switch_page(DEMO, query_params=there.parameters())


def to_playground(there: Address) -> NoReturn:
    """Switches to a place in the Playground."""
    st.switch_page(PLAYGROUND, query_params=there.parameters())


def to_comparison_page(here: Address, sessions: str) -> NoReturn:
    """Switches to the comparison of sessions, named as `Address.compare` has them."""
    st.switch_page(SESSIONS, query_params=_kept(here) | {"compare": sessions})


def to_comparison(label: str, here: Address, sessions: str) -> None:
    """Draws a link to the comparison of sessions, named as `Address.compare` has them."""
    st.page_link(SESSIONS, label=label, query_params=_kept(here) | {"compare": sessions}, width="content")


def to_session(
    label: str, pipeline: str, session: str, here: Address, *, width: Literal["stretch", "content"] = "stretch"
) -> None:
    """Draws a link to a session in the Playground."""
    there = Address(pipeline=pipeline, session=session, model=here.model)
    st.page_link(PLAYGROUND, label=label, query_params=there.parameters(), width=width)


def to_new_session(
    label: str, pipeline: str, here: Address, *, settings: tuple[str, ...] = (), tab: str | None = None
) -> None:
    """Draws a link to a new session in the Playground. `settings` and `tab` are those of `Address`."""
    there = Address(pipeline=pipeline, tab=tab, model=here.model, settings=settings)
    st.page_link(PLAYGROUND, label=label, query_params=there.parameters())


def to_event(session: SessionSummary, event: int, here: Address) -> None:
    """Draws a link to an event of a session in the Playground, by its number; 0 leads to the session."""
    label = f"→ {plain(title_of(session.title))}" + (f" · event {event:,}" if event else "")
    there = Address(pipeline=session.app_name, session=session.id, at=str(event) if event else None, model=here.model)
    st.page_link(PLAYGROUND, label=label, query_params=there.parameters())


def to_place(label: str, pipeline: str, session: str, here: Address, *, event: int = 0) -> None:
    """Draws a link to an event of a session in the Playground, by its number; 0 leads to the session."""
    there = Address(pipeline=pipeline, session=session, at=str(event) if event else None, model=here.model)
    st.page_link(PLAYGROUND, label=label, query_params=there.parameters(), width="content")


def to_cases(label: str, here: Address) -> None:
    """Draws a link to the cases."""
    st.page_link(SESSIONS, label=label, query_params={"tab": ["cases"], **_kept(here)}, width="content")


def to_lab(label: str, here: Address, *, run: str | None = None) -> None:
    """Draws a link to a lab run, by default to all of them."""
    there = Address(run=run, model=here.model)
    st.page_link(LAB, label=label, query_params=there.parameters(), width="content")


def to_demo(label: str, here: Address, *, demo: str | None = None, run: str | None = None) -> None:
    """Draws a link to a demo of the Lab, by default to all of them."""
    there = Address(demo=demo, run=run, model=here.model)
    st.page_link(DEMO, label=label, query_params=there.parameters(), width="content")


def to_playbook(label: str, playbook: str, here: Address, *, revision: int | None = None, bullet: str | None = None) -> None:
    """Draws a link to a playbook: to its newest or another revision, or to one of its bullets."""
    said = None if revision is None else str(revision)
    there = Address(playbook=playbook, revision=said, bullet=bullet, model=here.model)
    st.page_link(PLAYBOOK, label=label, query_params=there.parameters())


def to_pattern(pipeline: str, here: Address, label: str) -> None:
    """Draws a link to a pipeline's page in the Gallery."""
    st.page_link(GALLERY, label=label, query_params=Address(pipeline=pipeline, model=here.model).parameters())


def to_lesson(
    label: str,
    pipeline: str,
    here: Address,
    *,
    step: str | None = None,
    session: str | None = None,
    topic: str | None = None,
) -> None:
    """Draws a link to a lesson: to a step with its session, or to the handout or the notes; in the language of the page."""
    there = Address(pipeline=pipeline, session=session, step=step, topic=topic, model=here.model, language=here.language)
    st.page_link(LESSONS, label=label, query_params=there.parameters(), width="content")


def to_lessons(label: str, here: Address, *, topic: str | None = None) -> None:
    """Draws a link to the course, or to its handout or notes."""
    there = Address(topic=topic, model=here.model, language=here.language)
    st.page_link(LESSONS, label=label, query_params=there.parameters(), width="content")


def to_copy(label: str, pipeline: str, here: Address) -> None:
    """Draws a link to the Build page, where a copy of a pipeline is offered."""
    st.page_link(BUILD, label=label, query_params=Address(pipeline=pipeline, model=here.model).parameters())


def to_team(label: str, team: str | None, here: Address) -> None:
    """Draws a link to a team on the Build page; with None to all of them."""
    there = Address(team=team, model=here.model)
    st.page_link(BUILD, label=label, query_params=there.parameters(), width="content")


def to_settings(label: str, here: Address, *, section: str | None = None) -> None:
    """Draws a link to a section of the Settings page; by default to the first."""
    st.page_link(SETTINGS, label=label, query_params=Address(tab=section, model=here.model).parameters())


def to_help(label: str, here: Address, *, topic: str | None = None) -> None:
    """Draws a link to a page of the documents, by default to their list."""
    there = Address(topic=topic, model=here.model)
    st.page_link(HELP, label=label, query_params=there.parameters(), width="content")


def to_gallery(here: Address, label: str) -> None:
    """Draws a link to the Gallery's overview."""
    st.page_link(GALLERY, label=label, query_params=_kept(here))


def arrive(title: str) -> None:
    """Puts this page's URL into the browser's address bar, also after a link from the page to itself.

    After such a link the script runs with the new URL, but the browser shows the old one. After Back, Streamlit's page may
    have been told the URL of a page that was left since, and would send it with the next request. A URL that the browser
    shows already has no effect.

    Args:
        title: Title of the page that is open.
    """
    here = address.current()
    tab = None if title in {"Playground", "Build", "Lessons"} else here.tab  # there the browser writes it
    step = (here.step, here.language) if title == "Lessons" else None
    place = (title, tab, step, here.pipeline, here.session, here.compare, here.run, here.demo, here.topic, here.team)
    if st.session_state.get(_PLACE, place) != place or streamlit_private.is_history_navigation():
        address.go(here, said_already=False)
    st.session_state[_PLACE] = place


def to_the_top(here: Address) -> None:
    """Scrolls to the top if the page shows another place; the browser does not after a link from a page to itself."""
    top_of_page(here.pipeline or "")


def _link(page: str, title: str, icon: str, parameters: dict[str, list[str]]) -> None:
    st.page_link(page, label=title, icon=icon, query_params=parameters, width="stretch")


def _back(here: Address) -> dict[str, list[str]]:
    """The user's last place in the Playground, else the one that the URL names."""
    pipeline = here.pipeline or here.team
    named = Address(pipeline=pipeline, session=here.session, model=here.model, agent_models=here.agent_models)
    return st.session_state.get(_LAST) or named.parameters()


def _kept(here: Address) -> dict[str, list[str]]:
    return Address(model=here.model).parameters()
