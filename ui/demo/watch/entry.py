"""The way in: makes a watch, plays it at once where no real model is asked, and says where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from ui.demo import opening
from ui.demo.opening import PIPELINE
from ui.demo.watch import player
from ui.demo.watch.arms import Watch, new_watch
from ui.state import address, runs
from ui.state.address import Address
from ui.state.options import model_choices

if TYPE_CHECKING:
    from agents.runs import RunManager

LABEL, ICON = "Watch it learn", ":material/show_chart:"
HELP = "Sixty questions: the share of right answers climbs as bullets are learned, and falls when they are taken away."


def button(begin: Callable[[], None]) -> None:
    """Draws the button of the Playbook page, which begins a watch by that page's own action."""
    st.button(LABEL, key="watch_it_learn", icon=ICON, help=HELP, on_click=begin)


def is_offered(manager: RunManager) -> bool:
    """Whether the pipeline that learns can be run."""
    try:
        manager.catalog.get(PIPELINE)
    except PlaygroundError:
        return False
    return True


def begin(manager: RunManager, model: str | None) -> Address:
    """Makes a watch and begins to play it, unless real models would be called: the page asks first.

    Args:
        manager: The process's run manager.
        model: The model in the URL; None for the preferred one.

    Returns:
        The address of its page.

    Raises:
        PlaygroundError: It cannot be made.
    """
    watch = new_watch(manager)
    if not asks_real_models(manager, model):
        player.play(watch, model)
    return Address(demo=watch.name, model=model)


def of_process(manager: RunManager, model: str | None) -> Address:
    """The address of the watch that this process was started for; made at the first call."""
    name = opening.made_once(lambda: begin(manager, model).demo or "", lambda name: bool(Watch(manager, name).arms()))
    return Address(demo=name, model=model)


def asks_real_models(manager: RunManager, model: str | None) -> bool:
    """Whether a run calls a model that is not simulated."""
    preferred = manager.models.preferences
    names = {model or preferred.model, *preferred.agent_models.get(PIPELINE, {}).values()}
    return not all(map(model_choices.is_simulated, names))


def begin_here() -> None:
    """Begins a watch and shows it on this page.

    Raises:
        PlaygroundError: It cannot be made.
    """
    address.go(begin(runs.manager(), address.current().model))
