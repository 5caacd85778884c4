"""Repetitions of a fork, counted while they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ui.forks import actions
from ui.state import runs
from ui.text.labels import plain, status_words, title_of

if TYPE_CHECKING:
    from agents.forks import SameAnswers

SECONDS = 1.0
"""Pause between two looks at runs that go on."""
_LENGTH = 300


def show(pipeline: str, origin: str, forks: Sequence[str]) -> None:
    """Draws the counts, again and again until all runs have ended."""
    running = runs.workspace().forks.repetitions(pipeline, origin, forks).running

    @st.fragment(run_every=SECONDS if running else None)
    def counts() -> None:
        found = runs.workspace().forks.repetitions(pipeline, origin, forks)
        _statuses(found.statuses)
        differing = _differing(found.groups)
        for same in found.groups:
            _group(pipeline, same, differing, forks)
        if running and not found.running:
            st.rerun()

    counts()


def _statuses(statuses: Mapping[str, int]) -> None:
    words = ", ".join(f"{number} {status_words(status)}" for status, number in statuses.items())
    total = sum(statuses.values())
    st.markdown(f"**{total} runs**: {words}" if total else "The forks were deleted.")
    if total and statuses.get("running"):
        st.progress((total - statuses["running"]) / total)


def _differing(groups: Sequence[SameAnswers]) -> list[str]:
    """The agents whose last answers are not the same in all groups."""
    agents = dict.fromkeys(agent for same in groups for agent in same.answers)
    return [agent for agent in agents if len({same.answers.get(agent) for same in groups}) > 1]


def _group(pipeline: str, same: SameAnswers, differing: Sequence[str], forks: Sequence[str]) -> None:
    with st.container(border=True, gap="xsmall", key=f"same_{same.sessions[0]}"):
        told = "the same answers as this session" if same.as_origin else "other answers than this session"
        st.markdown(f"**{len(same.sessions)} ×** {told}")
        for agent in differing or list(same.answers)[-1:]:
            text = title_of(same.answers[agent], length=_LENGTH) if agent in same.answers else "said nothing"
            st.markdown(f":small[**{plain(agent)}** {plain(text)}]")
        with st.container(horizontal=True, gap="xsmall"):
            for session in same.sessions:
                st.button(
                    f"Run {forks.index(session) + 1}",
                    key=f"open_{session}",
                    type="tertiary",
                    on_click=actions.open_fork,
                    args=(pipeline, session),
                )
