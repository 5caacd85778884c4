"""The tab *Problems*: what is wrong with the team before it runs. Each finding leads to its field."""

from __future__ import annotations

import os
from typing import NamedTuple

import streamlit as st

from agents import PlaygroundError
from agents.pipelines import Pipeline
from agents.review import Finding, review_pipeline
from ui.build import actions
from ui.build.open_team import OpenTeam, store
from ui.state import runs
from ui.text.labels import plain
from ui.text.visible_text import visible

_SIGNS = {"error": ":red[✗]", "warning": ":orange[!]"}
_REVIEWED = "reviewed_team"


class Found(NamedTuple):
    """What can be said of a team before it runs.

    Attributes:
        pipeline: The team as it would run; None if it cannot be loaded.
        problem: Why it cannot; "" if it can.
        findings: What the review found.
    """

    pipeline: Pipeline | None
    problem: str
    findings: list[Finding]

    @property
    def number(self) -> int:
        """The number of problems."""
        return len(self.findings) + bool(self.problem)


def look_at(name: str) -> Found:
    """Loads a team as its files are now, and reviews it; once for each of its versions."""
    try:
        pipeline = runs.manager().catalog.get(name)
    except PlaygroundError as error:
        return Found(None, str(error), [])
    held: Found | None = st.session_state.get(_REVIEWED)
    if held is None or held.pipeline is not pipeline:
        held = st.session_state[_REVIEWED] = Found(pipeline, "", review_pipeline(pipeline))
    return held


def show(team: OpenTeam, found: Found, *, locked: bool) -> None:
    """Draws the tab."""
    if found.problem:
        st.error("The team cannot be loaded. It is loaded again when it is changed.", icon=":material/block:")
        _, _, why = found.problem.partition("\n")
        why = (why or found.problem).replace(f"{store().path(team.name)}{os.sep}", "")
        st.code(visible(why), language=None, wrap_lines=True)
        for node in team.root.walk():
            if node.file and why.startswith(f"{node.file}, line "):
                _link(0, team.name, node.name, "name")
        return
    if not found.findings:
        st.caption("The team was looked at before a run, and nothing was found.")
    with st.container(key="team_problems", gap="small"):
        for number, finding in enumerate(found.findings):
            _finding(team.name, number, finding, locked=locked)


def _finding(name: str, number: int, finding: Finding, *, locked: bool) -> None:
    with st.container(key=f"finding_{number}", border=True, gap="xsmall"):
        st.markdown(f"{_SIGNS[finding.rule.level]} {plain(finding.text)}  \n:small[{finding.rule.why}]")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _link(number, name, finding.agent, finding.field)
            if finding.fix is not None:
                st.button(
                    plain(finding.fix.text),
                    key=f"finding_fix_{number}",
                    icon=":material/build:",
                    disabled=locked,
                    on_click=actions.fix,
                    args=(name, finding.fix),
                )


def _link(number: int, name: str, agent: str, field: str) -> None:
    st.button(
        f"→ {plain(agent)} · {plain(field)}",
        key=f"finding_place_{number}",
        type="tertiary",
        on_click=actions.lead_to,
        args=(name, agent, field),
    )
