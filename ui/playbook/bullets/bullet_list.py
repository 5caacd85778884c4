"""The bullets of a revision, by section, with the revision's changes highlighted: paged, with a search.

A page costs the same in a playbook of ten bullets and of ten thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import streamlit as st

from agents import DatabaseError
from agents.access import Action
from agents.ace import StoredBullet
from ui.access import owner
from ui.kit import paging
from ui.playbook import actions, markup, view_state, welcome
from ui.playbook.bullets import selection
from ui.playbook.delta_effect import DeltaEffect, effect_of
from ui.playbook.shown_playbook import ShownPlaybook
from ui.playbook.view_state import SORT
from ui.state import runs
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import plain

if TYPE_CHECKING:
    from agents.lab import MeasuredEffect

PAGE = 20
LIT = 8
"""Most changed bullets that are listed first, in a playbook of more than one page."""
SORTS = {
    "": "By section",
    "helpful": "Most helpful",
    "harmful": "Most harmful",
    "updated_at": "Changed last",
    "last_cited": "Cited last",
    "effect": "Measured effect",
}
_FIND, _ARCHIVE = "find_bullets", "bullets_kept"


def show(found: ShownPlaybook) -> None:
    """Draws the list."""
    effect = effect_of(found.record.applied if found.record else (), found.shown)
    archived = [bullet for bullet in found.shown.bullets if bullet.archived]
    words = _tools(found)
    in_archive = bool(archived) and _archive_shown(found, len(found.shown) - len(archived), len(archived))
    bullets = archived if in_archive else [bullet for bullet in found.shown.bullets if not bullet.archived]
    gone = [] if in_archive else effect.gone
    listed = _found([*bullets, *gone], words)
    sort = st.session_state.get(SORT) or ""
    measured = _measured(found)
    listed = _sorted(listed, sort, measured)
    selection.show(found)
    if sort == "effect" and not measured:
        _nothing_measured()
    if not listed:
        _nothing(found, words)
        return
    name = f"bullets_{found.name}"
    page = paging.page_of(name, len(listed), PAGE)
    with st.container(key="bullets", gap=None):
        if page.pages > 1 and page.number == 1 and not words and not sort:
            _lit(found, effect, measured, in_archive=in_archive)
        _rows(found, listed[page.start : page.end], effect, measured, None if sort else _counts(found, listed))
    paging.draw(name, page, len(listed), "bullet")


def _tools(found: ShownPlaybook) -> str:
    """Draws the tools above the list; returns the search words."""
    with st.container(key="bullet_tools", horizontal=True, vertical_alignment="center", gap="small"):
        words = st.text_input(
            "Search bullets",
            key=_FIND,
            placeholder="Search ids, sections and texts",
            label_visibility="collapsed",
            type="search",
            live=True,
            on_change=paging.back_to_first,
            args=(f"bullets_{found.name}",),
            width="stretch",
        )
        st.selectbox(
            "Order",
            list(SORTS),
            key=SORT,
            format_func=SORTS.__getitem__,
            on_change=paging.back_to_first,
            args=(f"bullets_{found.name}",),
            label_visibility="collapsed",
            width=150,
        )
        if not owner.may(Action.EDIT_PLAYBOOK):
            return (words or "").strip()
        locked = found.locked
        st.toggle(
            "Select",
            key=selection.SWITCH,
            help="Select several bullets, to merge, archive or remove them",
            disabled=bool(locked),
        )
        st.button(
            "Add",
            key="add",
            icon=":material/add:",
            type="primary",
            disabled=bool(locked),
            help=locked or "Write a bullet",
            on_click=view_state.ask,
            args=("add",),
        )
    return (words or "").strip()


def _archive_shown(found: ShownPlaybook, active: int, archived: int) -> bool:
    labels = {"active": f"In prompts ({active:,})", "archived": f"Archived ({archived:,})"}
    choice = st.segmented_control(
        "Which bullets",
        list(labels),
        key=_ARCHIVE,
        default="active",
        required=True,
        format_func=labels.__getitem__,
        on_change=paging.back_to_first,
        args=(f"bullets_{found.name}",),
        label_visibility="collapsed",
    )
    return choice == "archived"


def _found(bullets: Sequence[StoredBullet], words: str) -> list[StoredBullet]:
    needles = words.casefold().split()
    if not needles:
        return list(bullets)
    return [
        bullet
        for bullet in bullets
        for text in [f"{bullet.id} {bullet.section} {bullet.content}".casefold()]
        if all(needle in text for needle in needles)
    ]


def _measured(found: ShownPlaybook) -> Mapping[str, MeasuredEffect]:
    """The effects that were measured last, by bullet."""
    try:
        measurement = runs.workspace().measurements.latest(found.name, found.info.created_at)
    except DatabaseError:  # the tab of the effects says so
        return {}
    return {} if measurement is None else measurement.effects


def _sorted(bullets: list[StoredBullet], by: str, measured: Mapping[str, MeasuredEffect]) -> list[StoredBullet]:
    """Bullets by section, in the order of each section's first bullet; or by a counter or a time, highest first.

    By effect, bullets that were not measured come last.
    """
    if by == "effect":
        known = [bullet for bullet in bullets if bullet.id in measured]
        known.sort(key=lambda bullet: (-measured[bullet.id].effect, bullet.place))
        return [*known, *(bullet for bullet in bullets if bullet.id not in measured)]
    if by:
        return sorted(bullets, key=lambda bullet: (-getattr(bullet, by), bullet.place))
    first: dict[str, int] = {}
    for bullet in bullets:
        first[bullet.section] = min(first.get(bullet.section, bullet.place), bullet.place)
    return sorted(bullets, key=lambda bullet: (first[bullet.section], bullet.section, bullet.place))


def _counts(found: ShownPlaybook, bullets: Iterable[StoredBullet]) -> Counter[str]:
    """Bullets per section, without those that the revision removed."""
    return Counter(bullet.section for bullet in bullets if bullet.id in found.shown)


def _lit(found: ShownPlaybook, effect: DeltaEffect, measured: Mapping[str, MeasuredEffect], *, in_archive: bool) -> None:
    """Draws the changed bullets before all others: they may be many pages away."""
    there = [
        bullet for id_ in list(effect.bullets)[:LIT] if (bullet := found.shown.get(id_)) and bullet.archived == in_archive
    ]
    lit = there + ([] if in_archive else effect.gone[: LIT - len(there)])
    if lit:
        st.html(markup.section_head("In this revision", len(lit)))
        for bullet in lit:
            _row(found, bullet, effect, measured, group="lit", section=True)


def _rows(
    found: ShownPlaybook,
    bullets: list[StoredBullet],
    effect: DeltaEffect,
    measured: Mapping[str, MeasuredEffect],
    counts: Mapping[str, int] | None,
) -> None:
    """Draws bullets; by section, if there are `counts` of the sections."""
    if counts is None:
        for bullet in bullets:
            _row(found, bullet, effect, measured, section=True)
        return
    for section, rows in groupby(bullets, key=lambda bullet: bullet.section):
        st.html(markup.section_head(section, counts[section]))
        for bullet in rows:
            _row(found, bullet, effect, measured)


def _row(
    found: ShownPlaybook,
    bullet: StoredBullet,
    effect: DeltaEffect,
    measured: Mapping[str, MeasuredEffect],
    *,
    group: str = "",
    section: bool = False,
) -> None:
    """Draws a bullet; its button covers the row."""
    gone = bullet.id not in found.shown
    selecting = selection.is_on(found) and not gone and not group
    with st.container(key=f"row_{group}{bullet.place}", horizontal=True, gap="small", wrap=False):
        if selecting:
            name = f"pick_{bullet.id}"
            st.checkbox(
                f"Select {plain(bullet.id)}",
                key=key_for(name, bullet.id in view_state.picked(found.name)),
                on_change=if_chosen(view_state.pick),
                args=(name, found.name, bullet.id),
                label_visibility="collapsed",
            )
        st.button(
            plain(bullet.id),
            key=f"open_{group}{bullet.id}",
            type="tertiary",
            on_click=view_state.look_into,
            args=(bullet.id,),
        )
        st.html(markup.bullet(bullet, effect.of(bullet.id), gone=gone, section=section, measured=measured.get(bullet.id)))
        if bullet.archived and not found.locked:
            operation = {"type": "UNARCHIVE", "bullet_id": bullet.id}
            st.button(
                "Restore",
                key=f"restore_{group}{bullet.id}",
                help="Bring it back into prompts",
                on_click=actions.commit,
                args=(found.name, [operation], f"Restored {bullet.id}."),
            )


def _nothing(found: ShownPlaybook, words: str) -> None:
    if words:
        st.info(f"**No bullet has “{plain(words[:60])}”** in its id, section or text.", icon=":material/search_off:")
        st.button("Show all bullets", key="find_nothing", on_click=_show_all, args=(found.name,))
    elif not found.newest.revision:
        st.info(
            "**This playbook is empty.** Write a bullet, import some, or let the ACE pipeline learn them.",
            icon=":material/menu_book:",
        )
        welcome.run_the_pipeline(found.manager, found.address, playbook=found.name)
    else:
        st.info("There is no bullet in this revision.", icon=":material/menu_book:")


def _nothing_measured() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("No effect is measured yet, so the list has its own order.", width="content")
        st.button("Measure …", key="to_effect", type="tertiary", on_click=view_state.show, args=("effect",))


def _show_all(name: str) -> None:
    st.session_state[_FIND] = ""
    paging.back_to_first(f"bullets_{name}")
