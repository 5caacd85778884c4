"""What the page's address says: `?pipeline=&session=&event=&tab=&model=&agent_model=&fault=&set=`.

On the Playbook page also `?playbook=&revision=&bullet=&beside=`, in a demo `?demo=&step=`. The address is the only place
that keeps it. So a refresh, a second tab and a link all show the same. Where the script has just gone is remembered beside
it, until the browser should have heard of that. Knows names, not whether there is anything behind them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

import streamlit as st

from ui.dependencies import streamlit_private
from ui.state import model_choices

DRAWN_SECONDS, HEARD_SECONDS = 10.0, 1.0
"""So long it may take to draw a page where the script went, and then until the browser has heard of that: what it asks until
then is taken to be from before, if it asks for a place that was just left."""
_GOING = "going"
_MOST_LEFT = 20  # places that were left in a hurry, one after the other


@dataclass(frozen=True, slots=True)
class Address:
    """What a page shows, by name. None where the address says nothing.

    Attributes:
        pipeline: The pipeline.
        session: One of its sessions; None for a new one.
        event: The event that is looked at.
        tab: The tab of the inspector that is open.
        model: The model chosen for the next run; None for the one that a person prefers.
        agent_models: Agents that have another one, as AGENT:MODEL, without a model where they go back to the run's;
            `agent_model=` in the address, once each.
        faults: What is to go wrong in the next runs, as `str(Fault)` writes it; `fault=` in the address, once each.
        settings: Controls that were changed for a session that is not begun yet, as KEY=JSON; `set=` in the address.
        playbook: The playbook.
        revision: The revision that is looked at; None for the newest.
        bullet: The bullet that is looked at.
        beside: The playbook that it is compared with.
        demo: The demo that is on, by the name of its playbook.
        step: Where in it.
    """

    pipeline: str | None = None
    session: str | None = None
    event: str | None = None
    tab: str | None = None
    model: str | None = None
    agent_models: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    playbook: str | None = None
    revision: str | None = None
    bullet: str | None = None
    beside: str | None = None
    demo: str | None = None
    step: str | None = None

    def parameters(self) -> dict[str, list[str]]:
        """What the address is to say, without what is not set."""
        single = {name: [value] for name in _SINGLE if (value := getattr(self, name))}
        several = {"agent_model": list(self.agent_models), "fault": list(self.faults), "set": list(self.settings)}
        return single | {name: values for name, values in several.items() if values}


_SINGLE = ("pipeline", "session", "event", "tab", "model", "playbook", "revision", "bullet", "beside", "demo", "step")


@dataclass(slots=True)
class _Going:
    """Where the script went: the browser may ask for something else before it has heard of that.

    Attributes:
        page: The page, by Streamlit's name for it.
        left: What the address said before, each time that the browser may not have heard of.
        to: What it says now.
        until: When it will have heard, by the monotonic clock, in seconds.
    """

    page: str
    left: list[dict[str, list[str]]]
    to: dict[str, list[str]]
    until: float


def current() -> Address:
    """The address of this page."""
    given = _said()
    return Address(
        **{name: given[name][-1] or None for name in _SINGLE if name in given},
        agent_models=tuple(given.get("agent_model", [])),
        faults=tuple(given.get("fault", [])),
        settings=tuple(given.get("set", [])),
    )


def go(target: Address, *, said_already: bool = True) -> None:
    """Shows another address from the next run of the script on; the browser's Back button leads back.

    What is said already keeps its place: the same address in another order would be another entry in the history.

    Args:
        target: The address.
        said_already: Whether the browser shows what the script was given; else it is told even where nothing changes.
    """
    said, wanted = _said(), target.parameters()
    if wanted != said:
        unheard = going.left if (going := _unheard()) else []
        left = [place for place in [*unheard, said] if place != wanted]
        st.session_state[_GOING] = _Going(
            streamlit_private.page_hash(), left[-_MOST_LEFT:], wanted, monotonic() + DRAWN_SECONDS
        )
    elif said_already:
        return
    st.query_params.from_dict({name: wanted[name] for name in [*said, *wanted] if name in wanted})


def drawn() -> None:
    """To be called when the page is drawn: so the browser is about to hear where the script went, if it went anywhere."""
    if (going := _unheard()) is not None:
        going.until = min(going.until, monotonic() + HEARD_SECONDS)


def _said() -> dict[str, list[str]]:
    """What the address says; where the browser has not heard yet where the script went, what it will say."""
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    going = _unheard()
    if going is None or said not in going.left:
        return said
    going.until = monotonic() + DRAWN_SECONDS
    st.query_params.from_dict(going.to)
    return going.to


def _unheard() -> _Going | None:
    """Where the script went, if the browser may not have heard of that yet and was not sent back by its own button."""
    going: _Going | None = st.session_state.get(_GOING)
    if going is None:
        return None
    went_back = streamlit_private.is_history_navigation()
    if went_back or going.page != streamlit_private.page_hash() or monotonic() > going.until:
        del st.session_state[_GOING]
        return None
    return going


def open_session(pipeline: str, session: str | None) -> None:
    """Goes to a session, or with None to a new one.

    The chosen model and tab stay. So do the faults and the agents' own models in the same pipeline, and a recorded session
    that answers: those of another have nobody to hit and nothing to say here.
    """
    here = current()
    if (here.pipeline, here.session) != (pipeline, session):
        if here.pipeline not in {None, pipeline}:
            kept = None if here.model and model_choices.is_replay(here.model) else here.model
            here = replace(here, model=kept, faults=(), agent_models=())
        go(replace(here, pipeline=pipeline, session=session, event=None, settings=()))
