"""The page of *Watch it learn*, at `/playbook?demo=`: the stage, and what controls it.

A fragment draws both again and again while it plays; what it draws is read from the playbooks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from agents import PersonError
from ui.demo.stage import component
from ui.demo.watch import entry, player
from ui.demo.watch.arms import MOST_CALLS, Watch
from ui.demo.watch.picture import picture
from ui.demo.watch.player import PACES, USUAL_SPEED
from ui.shell import styles
from ui.state import address, runs
from ui.state.address import Address
from ui.state.notices import NOTICE, action
from ui.state.options import model_choices
from ui.state.quick_input import chosen_now, if_chosen, key_for
from ui.text.labels import plain

if TYPE_CHECKING:
    from agents.runs import RunManager

REFRESH, IDLE_REFRESH = 0.4, 3.0
"""Seconds between two drawings while it plays, and while another tab may start it."""
TAKE_AWAY = "Take the bullets away"
STOP = "Ends the question of the moment, too. Play asks it again."
TAKEN_AWAY = "At the end: the same questions again, with a copy of the playbook without the bullets that answers cited."
REMOVED = "Deletes its playbooks and sessions. They can be brought back."
_STYLE = Path(__file__).with_name("page.css")
_SPEED, _ASKED = "watch_speed", "watch_asked"


class NothingRemovedError(PersonError):
    """There is nothing to bring back."""


def show(manager: RunManager, here: Address) -> None:
    """Draws the page of the watch that the URL names."""
    watch = Watch(manager, here.demo or "")
    styles.apply(_STYLE)
    with st.container(key="watch", gap="small"):
        _head(watch, here)
        if notice := st.session_state.get(NOTICE):
            st.error(plain(notice.text), icon=":material/block:")
        if not watch.arms():
            _missing(watch)
            return
        playing = player.playing_now(watch) is not None
        draw = st.fragment(_live, run_every=REFRESH if playing else IDLE_REFRESH)
        draw(watch, playing, here)


def _head(watch: Watch, here: Address) -> None:
    with st.container(key="watch_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"Watch it learn :small[:gray[{plain(watch.name[:80])}]]", anchor=False, width="content")
        if not entry.asks_real_models(watch.manager, here.model):
            st.badge("simulated", color="orange", help="Answers are computed on this machine. No model is asked.")
        st.space("stretch")
        if watch.arms():
            _link("→ Growth", "watch_growth", Address(playbook=watch.name, tab="growth", model=here.model))
        _link("✕ Close", "watch_close", Address(model=here.model))


def _link(label: str, key: str, there: Address) -> None:
    """A link from the page to itself would leave the browser's address as it is."""
    st.button(label, key=key, type="tertiary", on_click=address.go, args=(there,))


def _live(watch: Watch, was_playing: bool, here: Address) -> None:
    if (player.playing_now(watch) is not None) != was_playing or not watch.arms():
        st.rerun()  # another pace of drawing, or another page
    _controls(watch, here)
    _ask_first(watch, here)
    if (job := player.job_of(watch)) is not None and job.problem:
        st.error(f"**Paused.** {plain(job.problem)}", icon=":material/error:")
    component.draw(picture(watch))


def _controls(watch: Watch, here: Address) -> None:
    playing, can_take_away = player.playing_now(watch), watch.can_take_away()
    about = (watch.name, here.model)
    with st.container(key="watch_controls", horizontal=True, vertical_alignment="center", gap="small"):
        if playing:
            _button("Pause", "pause", _pause, (watch.name,), primary=True)
        else:
            _button("Play", "play_arrow", _play, about, primary=not can_take_away, disabled=not watch.due())
        _button("Stop", "stop", _stop, (watch.name,), disabled=not playing, help=STOP)
        st.segmented_control(
            "Speed",
            list(PACES),
            key=key_for(_SPEED, playing.speed if playing else _speed()),
            required=True,
            label_visibility="collapsed",
            on_change=if_chosen(_set_speed),
            args=(_SPEED, watch.name),
        )
        blocked = bool(playing) or not can_take_away
        more = None if "without" in watch.arms() else TAKEN_AWAY  # the pointer is still there when the questions begin
        _button(TAKE_AWAY, "content_cut", _take_away, about, primary=can_take_away, disabled=blocked, help=more)
        _button("Remove all of it", "delete", _remove, (watch.name,), help=REMOVED)


def _button(
    label: str,
    icon: str,
    do: Callable[..., None],
    args: tuple[str | None, ...],
    *,
    primary: bool = False,
    disabled: bool = False,
    help: str | None = None,
) -> None:
    key = f"watch_{do.__name__.removeprefix('_')}"
    kind = "primary" if primary else "secondary"
    st.button(label, key=key, icon=f":material/{icon}:", type=kind, disabled=disabled, help=help, on_click=do, args=args)


def _ask_first(watch: Watch, here: Address) -> None:
    """Draws how many calls of real models there will be, and asks."""
    if st.session_state.get(_ASKED) != watch.name:
        return
    calls = watch.remaining() * MOST_CALLS
    model = here.model or watch.manager.models.preferences.model
    with st.container(key="watch_calls", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{watch.remaining()} questions, up to {calls} calls of {plain(model_choices.short(model))}.** Each question "
            f"is up to {MOST_CALLS} calls. You can pause at any time.",
            width="stretch",
        )
        st.button("Make the calls", key="watch_yes", type="primary", on_click=_play_anyway, args=(watch.name, here.model))
        st.button("Not now", key="watch_no", on_click=_forget)


def _missing(watch: Watch) -> None:
    with st.container(key="watch_missing", gap="small"):
        st.info(
            f"**“{plain(watch.name[:80])}” is not here.** Its playbooks and sessions were removed, or are in another "
            "database.",
            icon=":material/delete:",
        )
        with st.container(horizontal=True):
            st.button("Bring it back", key="watch_restore", on_click=_restore, args=(watch.name,))
            st.button("Begin a new one", key="watch_anew", type="primary", on_click=_begin)


@action
def _begin() -> None:
    entry.begin_here()


@action
def _play(name: str, model: str | None) -> None:
    manager = runs.manager()
    if entry.asks_real_models(manager, model):
        st.session_state[_ASKED] = name
    else:
        player.play(Watch(manager, name), model, _speed())


@action
def _play_anyway(name: str, model: str | None) -> None:
    _forget()
    player.play(Watch(runs.manager(), name), model, _speed())


@action
def _pause(name: str) -> None:
    player.pause(Watch(runs.manager(), name))


@action
def _stop(name: str) -> None:
    player.stop(Watch(runs.manager(), name))


@action
def _take_away(name: str, model: str | None) -> None:
    Watch(runs.manager(), name).take_away()
    _play(name, model)


@action
def _remove(name: str) -> None:
    watch = Watch(runs.manager(), name)
    player.stop(watch)
    watch.remove()


@action
def _restore(name: str) -> None:
    if not Watch(runs.manager(), name).restore():
        raise NothingRemovedError(f"Nothing of {name[:80]!r} can be brought back: this database never had it.")


def _forget() -> None:
    st.session_state.pop(_ASKED, None)


@action
def _set_speed(name: str, speed: str) -> None:
    player.set_speed(Watch(runs.manager(), name), speed)


def _speed() -> str:
    return chosen_now(_SPEED) or USUAL_SPEED
