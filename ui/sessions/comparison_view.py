"""Sessions side by side: what they used, where they part, and each turn beside the same turn of the others."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from agents import BaseSessionService, LogEntry, PlaygroundError, SessionNotFoundError, SessionSummary
from agents.access import Action, permits
from agents.comparison import Comparison, GrowingComparison
from agents.runs import RunManager
from ui.access import identity
from ui.kit import paging
from ui.sessions import actions, comparison_markup, head
from ui.state import address, compared, runs
from ui.state.address import Address
from ui.text.labels import many, plain

PAGE = 30
"""Rows of a page."""
LIVE_SECONDS = 2.0
"""Seconds between two looks at sessions that run."""
_DIFFERS, _LIST = "compare_differs", "compared"
MOST = 4
"""Comparisons that are kept."""

Key = tuple[tuple[str, str, float], ...]


def show(manager: RunManager, here: Address) -> None:
    """Draws the comparison that the address names."""
    with st.container(key="compare_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("← All sessions", key="leave_comparison", type="tertiary", on_click=_leave)
        st.header("Compare", anchor=False, width="content")
        st.space("stretch")
        again = st.container(width="content")
        st.toggle("Only what differs", value=True, key=_DIFFERS, on_change=paging.back_to_first, args=(_LIST,))
    found, missing = compared.find(compared.names_of(here.compare or ""), manager.sessions.find)
    for name in missing:
        st.warning(f"There is no session {plain(name[:80])}; it may have been deleted.", icon=":material/search_off:")
    if len(found) < 2:  # noqa: PLR2004  one alone is no comparison
        st.info("A comparison needs two sessions. Select them in the list, then *Compare*.", icon=":material/compare:")
        return
    head.problem()
    if (fork := _changed(found)) is not None:
        again.button(
            "Run both again",
            key="run_both",
            icon=":material/replay:",
            help="Two new runs from the same message or event: one with nothing changed, one with the change.",
            disabled=not permits(identity.current(), Action.FORK, of=fork.user_id),
            on_click=actions.run_both,
            args=(fork.app_name, fork.id),
        )
    live = any(row.status == "running" for row in found)
    draw = st.fragment(_draw, run_every=LIVE_SECONDS if live else None)
    draw(manager, [(row.app_name, row.id) for row in found], live=live)


def _changed(found: list[SessionSummary]) -> SessionSummary | None:
    """Of a fork and its origin, or of two forks from one cut, the one with a change; None for any other sessions."""
    if len(found) != 2 or found[0].app_name != found[1].app_name:  # noqa: PLR2004  a change has two sides
        return None
    try:
        origins = [runs.workspace().forks.origin(row.app_name, row.id) for row in found]
    except PlaygroundError:  # deleted just now, or of a newer version
        return None
    for row, own, other, beside in zip(found, origins, reversed(found), reversed(origins), strict=True):
        if own is not None and own.what:
            unchanged = beside is not None and not beside.what and (beside.session, beside.seq) == (own.session, own.seq)
            if own.session == other.id or unchanged:
                return row
    return None


def _draw(manager: RunManager, names: list[compared.Key], *, live: bool) -> None:
    """Draws the sessions as they are now. Once the last one has ended, the page looks at them no more."""
    found, missing = compared.find(names, manager.sessions.find)
    try:
        result = None if missing else comparison_of(manager, found)
    except SessionNotFoundError:
        result = None
    if result is None:
        st.info("One of these sessions was deleted.", icon=":material/search_off:")
        return
    if live and not any(row.status == "running" for row in found):
        st.rerun()
    first = comparison_markup.first_difference(found, result)
    _summary(result, first, live=any(row.status == "running" for row in found))
    _rows(found, result, first)


def _summary(result: Comparison, first: int | None, *, live: bool) -> None:
    counts = [
        f"{result.count('same'):,} the same",
        f"{result.count('changed'):,} changed",
        f"{result.count('only'):,} not in all",
    ]
    said = f":small[:gray[{' · '.join(counts)}]]"
    if first is not None:
        st.markdown(f"{comparison_markup.parting_words(result.rows[first])} {said}")
    elif live:
        st.markdown(f"**They are the same so far**, in {many(result.count('same'), 'turn')}. {said}")
    else:
        st.markdown(f"**They are the same**, in {many(len(result.rows), 'turn')}. {said}")


def _rows(found: list[SessionSummary], result: Comparison, first: int | None) -> None:
    differs = st.session_state.get(_DIFFERS, True) and result.divergence is not None
    rows = [(row, index == first) for index, row in enumerate(result.rows) if not differs or row.kind != "same"]
    page = paging.page_of(_LIST, len(rows), PAGE)
    st.html(comparison_markup.table(found, result, rows[page.start : page.end]))
    paging.draw(_LIST, page, len(rows), "turn")


def _leave() -> None:
    address.go(replace(address.current(), compare=None))


@dataclass(slots=True)
class _Recent:
    """A comparison, and the prices that it was made with."""

    prices: Mapping[str, Any]
    compared: GrowingComparison
    lock: threading.Lock = field(default_factory=threading.Lock)


_lock = threading.Lock()
_recent: OrderedDict[Key, _Recent] = OrderedDict()


def comparison_of(manager: RunManager, sessions: Sequence[SessionSummary]) -> Comparison:
    """The comparison of sessions as they are now.

    Raises:
        SessionNotFoundError: One was deleted.
        DatabaseError: A log cannot be read.
    """
    found = _kept(sessions, manager.models.preferences.price_table)
    with found.lock:
        more = manager.in_store(
            lambda services: _since(services.sessions, sessions, found.compared.last), action=Action.READ_SESSION
        )
        found.compared.take(more)
        return found.compared.result


def _kept(sessions: Sequence[SessionSummary], prices: Mapping[str, Any]) -> _Recent:
    key = tuple((row.app_name, row.id, row.created_at) for row in sessions)
    with _lock:
        found = _recent.pop(key, None)
        if found is None or found.prices != prices:
            found = _Recent(prices, GrowingComparison(len(sessions), prices=prices))
        _recent[key] = found
        while len(_recent) > MOST:
            _recent.popitem(last=False)
        return found


async def _since(
    service: BaseSessionService, sessions: Sequence[SessionSummary], last: Sequence[int]
) -> list[list[LogEntry]]:
    """What each log has after an entry."""
    return [
        await service.read_log(app_name=row.app_name, user_id=row.user_id, session_id=row.id, after=seq)
        for row, seq in zip(sessions, last, strict=True)
    ]
