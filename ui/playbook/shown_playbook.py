"""Resolves the URL to a playbook and a revision. If there is no such thing, shows why and ends the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from agents.access import Action
from agents.ace import apply_all
from ui.access import owner
from ui.playbook import view_state
from ui.state.address import Address
from ui.state.navigation import NothingToShow
from ui.text.labels import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from agents.ace import DeltaRecord, Playbook, PlaybookInfo, PlaybookStore
    from agents.runs import RunManager

ANY = "default"
"""A name for the store's calls about all playbooks; there need not be a playbook of that name."""
FROZEN = "The playbook is frozen: nothing in it can be changed. Unfreeze it, or change a copy."
_LONGEST = 9
"""Most digits of a revision in the URL."""


@dataclass(frozen=True, slots=True)
class ShownPlaybook:
    """The playbook and the revision that the page shows.

    Attributes:
        manager: The process's run manager; its database has the playbooks.
        address: The parsed URL.
        infos: All playbooks, last changed first.
        info: The shown playbook.
        store: The shown playbook's store.
        newest: The newest revision.
        shown: The shown revision.
        record: The delta that made the shown revision; None for revision 0.
    """

    manager: RunManager
    address: Address
    infos: list[PlaybookInfo]
    info: PlaybookInfo
    store: PlaybookStore
    newest: Playbook
    shown: Playbook
    record: DeltaRecord | None

    @property
    def name(self) -> str:
        """The playbook's name."""
        return self.info.name

    @property
    def is_newest(self) -> bool:
        """Whether the shown revision is the newest."""
        return self.shown.revision == self.newest.revision

    @property
    def read_only(self) -> str:
        """Why the playbook cannot be changed; "" if it can."""
        if not owner.may(Action.EDIT_PLAYBOOK):
            return "You can read this playbook, and not change it."
        return FROZEN if self.info.frozen else ""

    @property
    def locked(self) -> str:
        """Why nothing can be changed here; "" if changes are possible."""
        if self.read_only or self.is_newest:
            return self.read_only
        return f"This is revision {self.shown.revision}. Changes are made to the newest one: go there first."


def find(manager: RunManager, here: Address) -> ShownPlaybook | None:
    """Resolves the URL; by default to the newest revision of the playbook that changed last. None if there is no playbook.

    If the URL names a playbook or a revision that does not exist, the page ends with a message.
    """
    infos = manager.playbooks(ANY).names()
    if here.playbook is None and not infos:
        return None
    info = next((info for info in infos if here.playbook in {None, info.name}), None)
    if info is None:
        _missing(here.playbook or "", infos)
    store = manager.playbooks(info.name)
    newest = store.playbook()
    revision = _number(here.revision, newest)
    records = store.history(limit=1, before=revision + 1) if revision else []
    return ShownPlaybook(
        manager=manager,
        address=here,
        infos=infos,
        info=info,
        store=store,
        newest=newest,
        shown=newest if revision == newest.revision else _at(store, revision, records),
        record=records[0] if records else None,
    )


def _at(store: PlaybookStore, revision: int, records: list[DeltaRecord]) -> Playbook:
    """An older revision."""
    if not records:
        return store.at(revision)
    before = store.at(revision - 1)  # shared with the page of the revision before this one
    record = records[0]
    after = apply_all(before, record.applied, by=record.by, at=record.committed_at)
    return after.replace(revision=revision, name=store.name)


def _number(text: str | None, newest: Playbook) -> int:
    if text is None:
        return newest.revision
    if text.isascii() and text.isdecimal() and len(text) <= _LONGEST and int(text) <= newest.revision:
        return int(text)
    with _whole_page():
        st.warning(
            f"**There is no revision {plain(text[:20])} of {plain(newest.name)}.** "
            f"It has {f'revisions 0 to {newest.revision}' if newest.revision else 'no revisions yet'}.",
            icon=":material/search_off:",
        )
        st.button("Show the newest", key="leave_newest", type="primary", on_click=view_state.look_at, args=(None,))
    raise NothingToShow


def _missing(name: str, infos: list[PlaybookInfo]) -> NoReturn:
    with _whole_page():
        st.warning(
            f"**There is no playbook named {plain(name[:80])}.** The link may be from another machine. "
            + ("Open one of those that are here:" if infos else "None is here yet."),
            icon=":material/search_off:",
        )
        with st.container(horizontal=True):
            for info in infos[:8]:
                st.button(plain(info.name), key=f"leave_{info.name}", on_click=view_state.choose, args=(info.name,))
            if not infos:
                st.button("What is a playbook?", key="leave_empty", on_click=view_state.choose, args=(None,))
    raise NothingToShow


def _whole_page() -> DeltaGenerator:
    return st.container(key="whole_page", horizontal_alignment="center").container(width=720)
