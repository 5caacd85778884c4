"""The open dialog: small dialogs here, those of a bullet and of the import in their own modules.

The session state says which dialog is open; the URL says which bullet. A dialog is redrawn alone after each input; after a
change the page below it is redrawn, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from agents import PlaygroundError
from agents.ace import MAX_BULLET_LENGTH, difference
from ui.kit.elements import element
from ui.playbook import actions, markup, view_state
from ui.playbook.bullets import bullet_panel
from ui.playbook.delta_effect import effect_of, summary
from ui.playbook.exchange import exchange
from ui.playbook.head import problem
from ui.playbook.shown_playbook import ShownPlaybook
from ui.text.labels import many, plain

_NAME, _SECTION, _CONTENT = "typed_name", "typed_section", "typed_content"
SHOWN = 8
"""Most dependent revisions shown; the others are counted."""


def show(found: ShownPlaybook | None) -> None:
    """Draws the open dialog, if there is one."""
    wanted = st.session_state.get(view_state.DIALOG) or {}
    what = wanted.get("what")
    if what == "new":
        _dialog("New playbook", lambda: _new(None))
    elif what == "import":
        _dialog("Import bullets", lambda: exchange.show_import(found), width="medium")
    elif found is None:
        return
    elif what == "copy":
        _dialog("Copy this playbook", lambda: _new(found))
    elif what == "add":
        _dialog("Add a bullet", lambda: _add(found))
    elif what == "merge":
        _dialog("Merge bullets", lambda: _merge(found, wanted["ids"]), width="medium")
    elif what == "undo":
        _dialog(f"Undo revision {wanted['revision']}", lambda: _undo(found, wanted["revision"]), width="medium")
    elif what == "roll_back":
        _dialog(f"Roll back to revision {wanted['revision']}", lambda: _roll_back(found, wanted["revision"]), width="medium")
    elif found.address.bullet:
        bullet_id = found.address.bullet
        _dialog(f"Bullet {plain(bullet_id[:80])}", lambda: bullet_panel.show(found, bullet_id), position="right", width=560)


def _dialog(
    title: str,
    draw: Callable[[], None],
    *,
    width: Literal["small", "medium"] | int = "small",
    position: Literal["center", "right"] = "center",
) -> None:
    @st.dialog(title, width=width, position=position, on_dismiss=view_state.close)  # pyright: ignore[reportArgumentType]
    def body() -> None:
        if st.session_state.pop(actions.DONE, False):
            st.rerun()
        problem()
        draw()

    body()


def _new(copied: ShownPlaybook | None) -> None:
    with st.form("new_playbook", border=False):
        if copied is not None:
            st.markdown(
                f"Copies revision {copied.newest.revision:,} of **{plain(copied.name)}**, its newest. History stays there."
            )
        st.text_input("Name", key=_NAME, placeholder="e.g. finance", max_chars=None)
        st.form_submit_button(
            "Copy" if copied else "Make it",
            type="primary",
            key="make",
            on_click=actions.copy if copied else actions.create,
            args=(copied.name, _NAME) if copied else (_NAME,),
        )


def _add(found: ShownPlaybook) -> None:
    with st.form("add_bullet", border=False):
        st.selectbox(
            "Section",
            list(found.shown.sections),
            key=_SECTION,
            index=0 if found.shown.sections else None,
            accept_new_options=True,
            placeholder="Choose one, or write a new one",
        )
        st.text_area(
            "What it says",
            key=_CONTENT,
            height=140,
            placeholder="e.g. current ratio = current assets / current liabilities",
            help=f"At most {MAX_BULLET_LENGTH:,} characters.",
        )
        st.form_submit_button(
            "Add", type="primary", key="add_it", on_click=actions.add, args=(found.name, _SECTION, _CONTENT)
        )


def _merge(found: ShownPlaybook, ids: list[str]) -> None:
    bullets = [bullet for id_ in ids if (bullet := found.shown.get(id_)) is not None]
    for bullet in bullets:
        st.html(element("div.panel", element("code", bullet.id), markup.bullet(bullet, None, section=True)))
    with st.form("merge_bullets", border=False):
        longest = max((bullet.content for bullet in bullets), key=len, default="")
        key = f"merged_{'_'.join(ids)}"
        st.text_area("What the merged bullet says", longest, key=key, height=140)
        st.caption(f"It goes into the section of {plain(bullets[0].id) if bullets else 'the first'}. Counters are added up.")
        st.form_submit_button("Merge", type="primary", key="merge_them", on_click=actions.merge, args=(found.name, ids, key))


def _undo(found: ShownPlaybook, revision: int) -> None:
    try:
        record = found.store.history(limit=1, before=revision + 1)[0]
        dependents = found.store.dependents(revision)
    except (PlaygroundError, IndexError):
        st.warning("This revision no longer exists.")
        return
    said = summary(effect_of(record.applied, found.store.at(revision)), len(record.rejected))
    st.markdown(f"It did this: {plain(said)}.")
    st.html(markup.changes(record.applied[:SHOWN]))
    if len(record.applied) > SHOWN:
        st.caption(f"… and {len(record.applied) - SHOWN:,} more changes.")
    if dependents:
        st.warning(
            f"**{many(len(dependents), 'later revision')} rest{'s' if len(dependents) == 1 else ''} on it.** "
            "Bullets that it added are removed, with all their later changes. A text that was changed again later stays.",
            icon=":material/account_tree:",
        )
        _named(found, dependents)
    else:
        st.caption("No later revision rests on it.")
    st.caption("An undo is one more delta. It can be undone like any.")
    with st.container(horizontal=True):
        st.button("Undo it", key="really_undo", type="primary", on_click=actions.undo, args=(found.name, revision))
        st.button("Keep it", key="keep", on_click=view_state.close)


def _named(found: ShownPlaybook, revisions: list[int]) -> None:
    """Lists revisions, with the summary of each on a line."""
    records = [found.store.history(limit=1, before=revision + 1)[0] for revision in revisions[:SHOWN]]
    lines = (element("li", f"Revision {one.revision:,} by {one.by}: ", markup.in_short(one.applied)) for one in records)
    st.html(element("ul.dependents", *lines))
    if len(revisions) > SHOWN:
        st.caption(f"… and {len(revisions) - SHOWN:,} more.")


def _roll_back(found: ShownPlaybook, revision: int) -> None:
    target = found.store.at(revision)
    back = difference(found.newest, target)
    parts = {"brought back": len(back.added), "taken out": len(back.removed), "changed": len(back.changed)}
    said = ", ".join(f"{many(count, 'bullet')} {verb}" for verb, count in parts.items() if count)
    st.markdown(f"{said or 'Nothing changes'}. Afterwards texts and counters are those of revision {revision:,}.")
    st.caption("The revisions in between stay in the history. A roll back is one more delta: it can be undone like any.")
    with st.container(horizontal=True):
        st.button(
            "Roll back", key="really_roll_back", type="primary", on_click=actions.roll_back, args=(found.name, revision)
        )
        st.button("Keep it", key="keep", on_click=view_state.close)
