"""A workspace of its own with a team, and browser tabs without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agents.teams import STARTS
from agents.workspace import Workspace
from tests.ui.stage import sound
from ui.state import runs

TEAM = "writer_and_critic"


def script() -> None:
    import streamlit as st

    if "attempt" in st.session_state:
        st.session_state["outcome"] = st.session_state["attempt"]()


class Tab:
    """A browser tab with a team open."""

    def __init__(self, team: str = TEAM) -> None:
        self._at = AppTest.from_function(script, default_timeout=30)
        self._at.query_params["team"] = team

    def do(self, act: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Does something in the tab's script; what it gives."""
        self._at.session_state["attempt"] = lambda: act(*args, **more)
        sound(self._at.run())
        return self._at.session_state["outcome"]

    @property
    def notice(self) -> str:
        return self._at.session_state["notice"].text if "notice" in self._at.session_state else ""

    @property
    def address(self) -> dict[str, str]:
        return {name: "".join(value) for name, value in self._at.query_params.items()}


@pytest.fixture
def store(quiet_world, tmp_path):
    runs.configure(database=tmp_path / "build.db")
    runs.adopt(Workspace(tmp_path / "build.db"))
    start = next(one for one in STARTS if one.name == TEAM)
    runs.workspace().teams.create(TEAM, start.files)
    yield runs.workspace().teams
    runs.close()
    runs.configure()
