"""The top of the page: the choice of the playbook, actions on all of it, and the slider over its revisions."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from agents.access import OWNER, Action, permits
from agents.ace import PlaybookInfo, why_no_knowledge
from ui.access import owner
from ui.access.identity import current
from ui.demo.watch import entry
from ui.playbook import actions, view_state
from ui.playbook.delta_effect import SIGNS
from ui.playbook.exchange import exchange
from ui.playbook.shown_playbook import ShownPlaybook
from ui.sharing import links
from ui.state.quick_input import if_chosen, key_for
from ui.text.labels import many, plain

_GRADES: tuple[tuple[str, Literal["green", "orange", "red"]], ...] = (("A", "green"), ("C", "orange"), ("D", "red"))
_MOST_LISTED = 5
_CHOICE, _SLIDER = "playbook_choice", "revision_slider"


def show(found: ShownPlaybook) -> None:
    """Draws the head and the revisions."""
    with st.container(key="playbook_head", horizontal=True, vertical_alignment="center", gap="small"):
        _chooser(found)
        if found.info.frozen:
            st.badge("frozen", icon=":material/ac_unit:", color="blue", help="Nothing in it changes until it is unfrozen.")
        if found.info.guard:
            st.badge("guarded", icon=":material/shield:", color="green", help=f"By the cases in {plain(found.info.guard)}")
        unsafe = _unsafe(found)
        _grade(found, unsafe)
        st.space("stretch")
        _whole_playbook(found)
    problem()
    _list_unsafe(unsafe)
    _revisions(found)


def _unsafe(found: ShownPlaybook) -> list[tuple[str, str]]:
    """The bullets of the revision that no model could have added, by their ids, and why not."""
    checked = ((bullet.id, why_no_knowledge(bullet.content, bullet.section)) for bullet in found.shown.bullets)
    return [(id_, why) for id_, why in checked if why]


def _grade(found: ShownPlaybook, unsafe: list[tuple[str, str]]) -> None:
    """Draws how safe the bullets are: as in the benchmark of agent-memory-guard, one breach is a C at best, two are a D."""
    if not found.shown.bullets:
        return
    grade, color = _GRADES[min(len(unsafe), 2)]
    why = "None of the bullets gives orders to the model, or has a secret in it."
    st.badge(
        f"safety {grade}",
        icon=":material/verified_user:" if not unsafe else ":material/gpp_maybe:",
        color=color,
        help=why if not unsafe else f"{many(len(unsafe), 'bullet')} would not pass the guard, see below.",
    )


def _list_unsafe(unsafe: list[tuple[str, str]]) -> None:
    if unsafe:
        listed = "\n".join(f"- **{plain(id_)}**: {plain(why)}" for id_, why in unsafe[:_MOST_LISTED])
        more = f"\n- … and {many(len(unsafe) - _MOST_LISTED, 'more bullet')}" if len(unsafe) > _MOST_LISTED else ""
        st.warning(
            f"The guard lets no model add bullets like these. Remove those that nobody meant so.\n{listed}{more}",
            icon=":material/gpp_maybe:",
        )


def problem() -> None:
    """Draws the reason why the last action failed."""
    if text := st.session_state.get(view_state.PROBLEM):
        st.error(plain(text), icon=":material/block:")


def totals(found: ShownPlaybook) -> None:
    """Draws the totals of the revision, in one line."""
    shown = found.shown
    said = [
        many(len(shown), "bullet"),
        f"≈ {many(shown.tokens, 'token')}",
        f"{SIGNS['helpful']} {shown.helpful:,} helpful",
        f"{SIGNS['harmful']} {shown.harmful:,} harmful",
        f"{SIGNS['neutral']} {sum(bullet.neutral for bullet in shown.bullets):,} only used",
    ]
    st.caption(" · ".join(said), width="content")


def _chooser(found: ShownPlaybook) -> None:
    infos = {info.name: info for info in found.infos}

    def label(name: str) -> str:
        return name if name not in infos else described(infos[name])

    st.selectbox(
        "Playbook",
        list(infos),
        key=key_for(_CHOICE, found.name),
        format_func=label,
        on_change=if_chosen(view_state.choose_from),
        args=(_CHOICE, list(infos)),
        label_visibility="collapsed",
        width=350,
    )


def described(info: PlaybookInfo) -> str:
    """A playbook's label in a list."""
    frozen = " · frozen" if info.frozen else ""
    return f"{info.name} · revision {info.revision:,} · {many(info.bullets, 'bullet')}{frozen}"


def _whole_playbook(found: ShownPlaybook) -> None:
    if owner.may(Action.RUN) and entry.is_offered(found.manager):
        entry.button(actions.watch)
    if owner.may(Action.EDIT_PLAYBOOK):
        _changes(found.name, frozen=found.info.frozen)
    exchange.show_export(found)
    if permits(current(), Action.SHARE, of=OWNER.id):
        st.button(
            "Share",
            key="share_playbook",
            help="A link with which others read this playbook",
            on_click=links.ask,
            args=("playbook", "", found.name),
        )


def _changes(name: str, *, frozen: bool) -> None:
    st.button("New", key="new", icon=":material/add:", help="Make an empty playbook", on_click=view_state.ask, args=("new",))
    st.button(
        "Copy", key="copy", help="Copy the newest revision into a new playbook", on_click=view_state.ask, args=("copy",)
    )
    st.button(
        "Unfreeze" if frozen else "Freeze",
        key="freeze",
        help="Let it change again" if frozen else "Make it read-only, for agents and for persons",
        on_click=actions.freeze,
        args=(name, not frozen),
    )
    st.button(
        "Import", key="import", help="Bring bullets in from a file or a text", on_click=view_state.ask, args=("import",)
    )


def notice(found: ShownPlaybook) -> None:
    """Draws the last action's notice with its undo, over the page, until the next action."""
    done = st.session_state.get(view_state.NOTICE)
    if not done:
        return
    with st.container(key="playbook_notice", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":green[✓] {plain(done['text'])}", width="stretch")
        if done["undo"] and done["playbook"] == found.name and not found.info.frozen:
            st.button("Undo", key="undo_last", type="tertiary", on_click=actions.undo, args=(found.name, done["undo"]))
        st.button("✕", key="dismiss", type="tertiary", help="Close", on_click=view_state.dismiss)


def _revisions(found: ShownPlaybook) -> None:
    newest, shown = found.newest.revision, found.shown.revision
    if not newest:
        return
    with st.container(key="revisions", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.button(
            "Previous revision",
            key="previous",
            icon=":material/chevron_left:",
            help="Previous revision",
            disabled=not shown,
            on_click=view_state.look_at,
            args=(shown - 1,),
        )
        st.slider(
            "Revision",
            0,
            newest,
            key=key_for(_SLIDER, shown),
            format="revision %d",
            on_change=if_chosen(view_state.slide),
            args=(_SLIDER, newest),
            label_visibility="collapsed",
        )
        st.button(
            "Next revision",
            key="next",
            icon=":material/chevron_right:",
            help="Next revision",
            disabled=found.is_newest,
            on_click=view_state.look_at,
            args=(None if shown + 1 >= newest else shown + 1,),
        )
        st.button("Newest", key="newest", disabled=found.is_newest, on_click=view_state.look_at, args=(None,))
