"""What the page's address says: `?pipeline=&session=&event=&tab=&model=&agent_model=&fault=&set=`.

On the Playbook page also `?playbook=&revision=&bullet=&beside=`, in a demo `?demo=&step=`. The address is the only place
that keeps it, so a reload, a second tab and a link all show the same. Knows names, not whether there is anything behind
them.

Who writes it: in the Playground the session view writes `event`, `tab`, `agent` and `folds` in the browser
(`view_address.js`), and the script never hears of that. The script writes the rest, and names an event or a tab only to lead
to it; its writing drops what it does not name, and the view puts its part back. It is told by `written()`.

Why a request can be behind: a tab sends the address that it knows with each request. What is sent between a callback and the
address that the callback wrote still has the old one, and Streamlit answers it next. So until the page is drawn, and
`HEARD_SECONDS` longer for what was already on its way, a request at a place that was just left is answered at the new one,
unless the Back or Forward button sent it. Later ones are believed: the browser was sent the address before the page, and
messages keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

import streamlit as st

from ui.dependencies import streamlit_private
from ui.state import model_choices

NO_EVENT = "0"
"""As an event: the view is to let go of the one that it has selected."""
HEARD_SECONDS = 1.0
"""Seconds after a page was drawn in which a request may still have been sent before its address arrived."""
_GOING, _WRITTEN = "going", "address_written"
_OF_THE_VIEW = ("event", "tab", "agent", "folds")


@dataclass(frozen=True, slots=True)
class Address:
    """What a page shows, by name. None where the address says nothing.

    Attributes:
        pipeline: The pipeline.
        session: One of its sessions; None for a new one.
        event: The event that is looked at, or `NO_EVENT`.
        tab: The tab of the inspector that is open; on other pages their section or view.
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
    """Where the script went, until the browser has heard of that.

    Attributes:
        page: The page, by Streamlit's name for it.
        left: What the address said before, each time that the script went on.
        to: What it says now.
        heard: When the browser has heard, by the monotonic clock, in seconds; None before the page is drawn.
    """

    page: str
    left: list[dict[str, list[str]]]
    to: dict[str, list[str]]
    heard: float | None = None


def current() -> Address:
    """The address of this page."""
    given = _said()
    return Address(
        **{name: given[name][-1] or None for name in _SINGLE if name in given},
        agent_models=tuple(given.get("agent_model", [])),
        faults=tuple(given.get("fault", [])),
        settings=tuple(given.get("set", [])),
    )


def of_playground() -> Address:
    """The address of the Playground page, without what its view writes: of that the script knows an old state at best."""
    return replace(current(), event=None, tab=None)


def written() -> int:
    """How often the script has written the address of this browser tab."""
    return st.session_state.get(_WRITTEN, 0)


def go(target: Address, *, said_already: bool = True) -> None:
    """Shows another address from the next run of the script on; the browser's Back button leads back.

    What is said already keeps its place: the same address in another order would be another entry in the history.

    Args:
        target: The address.
        said_already: Whether the browser shows what the script was given; else it is told even where nothing changes.
    """
    said, wanted = _said(), target.parameters()
    if wanted != said:
        before = going.left if (going := _going()) else []
        left = [place for place in [*before, said] if place != wanted]
        st.session_state[_GOING] = _Going(streamlit_private.page_hash(), left, wanted)
    elif said_already:
        return
    _write({name: wanted[name] for name in [*said, *wanted] if name in wanted})


def drawn() -> None:
    """To be called when the page is drawn: the browser has been sent where the script went, if it went anywhere."""
    if (going := _going()) and going.heard is None:
        going.heard = monotonic() + HEARD_SECONDS


def _write(parameters: dict[str, list[str]]) -> None:
    st.query_params.from_dict(parameters)
    st.session_state[_WRITTEN] = written() + 1


def _said() -> dict[str, list[str]]:
    """What the address says; to a request that is behind, what it will say."""
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    going = _going()
    if going is None or not _is_behind(said, going):
        return said
    going.heard = None
    _write(going.to)
    return going.to


def _going() -> _Going | None:
    """Where the script went, if the browser may not have heard of that yet and was not sent back by its own button."""
    going: _Going | None = st.session_state.get(_GOING)
    if going is None:
        return None
    heard = going.heard is not None and monotonic() > going.heard
    if heard or streamlit_private.is_history_navigation() or going.page != streamlit_private.page_hash():
        del st.session_state[_GOING]
        return None
    return going


def _is_behind(said: dict[str, list[str]], going: _Going) -> bool:
    """Whether a place was just left, whatever a view wrote into its address meanwhile."""
    run = _run_of(said)
    return said in going.left or (run != _run_of(going.to) and run in map(_run_of, going.left))


def _run_of(parameters: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without what a view may have written meanwhile."""
    return {name: values for name, values in parameters.items() if name not in _OF_THE_VIEW}


def open_session(pipeline: str, session: str | None) -> None:
    """Goes to a session, or with None to a new one.

    The chosen model stays. So do the faults and the agents' own models in the same pipeline, and a recorded session
    that answers: those of another have nobody to hit and nothing to say here.
    """
    here = of_playground()
    if (here.pipeline, here.session) != (pipeline, session):
        if here.pipeline not in {None, pipeline}:
            kept = None if here.model and model_choices.is_replay(here.model) else here.model
            here = replace(here, model=kept, faults=(), agent_models=())
        go(replace(here, pipeline=pipeline, session=session, settings=()))
