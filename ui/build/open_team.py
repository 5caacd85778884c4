"""The team that a browser tab has open: the revision that it shows, what it selected, and what it can undo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from agents import TeamChangedError
from agents.teams import AgentNode, TeamDraft, TeamStore, outline
from ui.build.kinds import KINDS, kind_of
from ui.state import runs

_OPEN = "open_team"


@dataclass(slots=True)
class OpenTeam:
    """A team as this browser tab has it.

    Attributes:
        draft: The revision that it shows; changes are made to it.
        agent: The selected agent.
        where: The field that the user was led to.
        visit: Another number after each time that the user was led to an agent.
        refused: Acts that could not be done, each with the reason.
        past: Revisions that Undo leads to, the next one last.
        future: The same for Redo.
        message: What the next run is asked.
        unsaved: Texts of files as they were typed, by name, until they are saved.
    """

    draft: TeamDraft
    agent: str = ""
    where: str = ""
    visit: int = 0
    refused: dict[int, str] = field(default_factory=dict[int, str])
    past: list[int] = field(default_factory=list[int])
    future: list[int] = field(default_factory=list[int])
    message: str = ""
    unsaved: dict[str, str] = field(default_factory=dict[str, str])
    _outlined: tuple[int, AgentNode] | None = None

    @property
    def name(self) -> str:
        """The team's name."""
        return self.draft.name

    @property
    def root(self) -> AgentNode:
        """The agents."""
        if self._outlined is None or self._outlined[0] != self.draft.revision:
            self._outlined = (self.draft.revision, outline(self.draft.files))
        return self._outlined[1]

    @property
    def is_behind(self) -> bool:
        """Whether the team was changed elsewhere since."""
        return store().read(self.name).revision != self.draft.revision

    def lead_to(self, agent: str, where: str = "") -> None:
        """Selects an agent, and leads the user to a field of it."""
        self.agent, self.where, self.visit = agent, where, self.visit + 1

    def save(self, files: Mapping[str, str], note: str) -> None:
        """Saves files as the next revision.

        Raises:
            TeamError: They cannot be saved, or the team was changed elsewhere.
            NotPermittedError: The user may not change teams.
        """
        before = self.draft.revision
        self._save(files, note)
        if self.draft.revision != before:
            self.past.append(before)
            self.future.clear()

    def turn(self, *, back: bool) -> None:
        """Undoes the last change, or makes it again; nothing if there is none. Both are revisions of their own.

        Raises:
            TeamError: See `save`.
            NotPermittedError: The same.
        """
        source, other = (self.past, self.future) if back else (self.future, self.past)
        if source:
            before = self.draft.revision
            self._save(store().read(self.name, source[-1]).files, "Undo" if back else "Redo")
            source.pop()
            other.append(before)

    def load_newest(self) -> None:
        """Takes the newest revision, which was made elsewhere."""
        before = self.draft.revision
        self.draft = store().read(self.name)
        self.past.append(before)
        self.future.clear()

    def _save(self, files: Mapping[str, str], note: str) -> None:
        try:
            self.draft = store().save(self.draft, dict(files), note=note)
        except TeamChangedError as error:
            kept = "Load it, then make the change again: what was typed is still in its field."
            raise TeamChangedError(f"{error} {kept}") from None


def store() -> TeamStore:
    """The teams, for the user who asks."""
    return runs.workspace().teams


def opened(name: str) -> OpenTeam:
    """The team of that name as this browser tab has it; a team that is opened is shown as it is now.

    Raises:
        TeamError: There is none.
    """
    store().path(name)  # it may have been deleted elsewhere
    held: OpenTeam | None = st.session_state.get(_OPEN)
    if held is None or held.name != name:
        draft = store().read(name)
        earlier = [one.number for one in reversed(store().revisions(name)) if one.number < draft.revision]
        held = st.session_state[_OPEN] = OpenTeam(draft, past=earlier)
        asks = (node.name for node in held.root.walk() if node.file and kind_of(node.agent_class or "LlmAgent") is KINDS[0])
        held.agent = next(asks, held.root.name)
    return held


def close() -> None:
    """Forgets the open team, e.g. because it has another name now."""
    st.session_state.pop(_OPEN, None)
