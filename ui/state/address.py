"""The address of a page: `?pipeline=&session=&at=&tab=&model=&agent_model=&fault=&set=`.

On the Playbook page also `?playbook=&revision=&bullet=&beside=`, on the Sessions page `?compare=`, on the Lab page
`?run=&sample=&beside=`, in a demo `?demo=&step=`, of the Lab also `&run=`, on the Help page `?topic=`, where a list is
taught `?teach=`, on the Build page `?team=&member=&session=`, on the Lessons page
`?pipeline=&step=&session=&topic=&language=`. These values are kept in the address alone, so a reload, a second tab and a
link show the same page. Names are not checked here.

`at` is the number of an event in its session, as the list shows it; a trace record after it is `12.3`. Older links name an
entry by its `seq` as `event=`; the session view puts `at` in the place of that.

Writers: in the Playground, on the Build page and on the Lessons page the session view writes `at`, `tab` and its filters,
folds and comparison in the browser (`view_address.js`), without a rerun; on every page `stage.js` writes `stage`. The script
writes the rest, and sets `at` or `tab` only to lead to one. A write by the script drops what the browser wrote; it is put
back when `written()` grows.

Stale requests: a browser tab sends its address with each request. A request that was sent before the address of a callback
arrived still has the old one. The writing of that address has a number, which the browser sends back once it has the
address. Until then a request with an address that was just left is answered at the new one, unless the Back or Forward
button sent it. Later requests are taken as they are, since messages keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from ui.dependencies import streamlit_private
from ui.state.options import model_choices

NO_EVENT = "0"
"""Value of `at` that clears the view's selection."""
_GOING, _WRITTEN = "going", "address_written"


@dataclass(frozen=True, slots=True)
class Address:
    """What a page shows, by name; None for what the address does not have.

    Attributes:
        pipeline: The pipeline.
        session: One of its sessions; None for a new one.
        at: The number of the selected event, or `NO_EVENT`.
        event: The selected entry by its `seq`, in an older link.
        tab: The open tab of the inspector; on other pages their section or view.
        model: The model for the next run; None for the preferred one.
        agent_models: Models of single agents, as AGENT:MODEL; without a model for the run's own. `agent_model=` in the
            address, once each.
        faults: Faults to inject in the next runs, as `str(Fault)` writes them; `fault=` in the address, once each.
        settings: Changed controls of a session that is not begun yet, as KEY=JSON; `set=` in the address.
        playbook: The playbook.
        revision: The revision shown; None for the newest.
        bullet: The selected bullet.
        beside: The playbook, or the lab run, to compare with.
        compare: The sessions to compare on the Sessions page, as `ui.state.compared.names_of` reads them.
        run: The lab run.
        sample: One of its answers, as `ui.lab.shown.Shown` writes it.
        demo: The demo, by the name of its playbook; a demo of the Lab by its own name.
        step: Its step.
        topic: The page of the documents.
        teach: The list that is taught, or "new" for the form that begins one.
        team: The team that is built.
        member: Its selected agent. (`agent=` is a filter of the session view.)
        language: The language of a lesson; None for English.
    """

    pipeline: str | None = None
    session: str | None = None
    at: str | None = None
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
    compare: str | None = None
    run: str | None = None
    sample: str | None = None
    demo: str | None = None
    step: str | None = None
    topic: str | None = None
    teach: str | None = None
    team: str | None = None
    member: str | None = None
    language: str | None = None

    def parameters(self) -> dict[str, list[str]]:
        """The query parameters, without those that are not set."""
        single = {name: [value] for name in _SINGLE if (value := getattr(self, name))}
        several = {"agent_model": list(self.agent_models), "fault": list(self.faults), "set": list(self.settings)}
        return single | {name: values for name, values in several.items() if values}


_SINGLE = (
    *("pipeline", "session", "at", "event", "tab", "model", "playbook", "revision", "bullet", "beside"),
    *("compare", "run", "sample", "demo", "step", "topic", "teach", "team", "member", "language"),
)
_OF_THE_SCRIPT = {*_SINGLE, "agent_model", "fault", "set"} - {"at", "event", "tab"}


@dataclass(slots=True)
class _Going:
    """A navigation by the script that the browser may not know yet.

    Attributes:
        page: Streamlit's hash of the page.
        left: The addresses that were left.
        to: The new address.
        number: How often the address was written when it was first written.
    """

    page: str
    left: list[dict[str, list[str]]]
    to: dict[str, list[str]]
    number: int


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
    """The address of a page with a session view, without the view's part, which the script may know in an old state."""
    return replace(current(), at=None, event=None, tab=None)


def written() -> int:
    """How often the script has written the address of this browser tab."""
    return st.session_state.get(_WRITTEN, 0)


def go(target: Address, *, said_already: bool = True) -> None:
    """Navigates to another address, from the next run of the script on; the browser's Back button leads back.

    Parameters keep their order: the same address in another order would be another entry in the history.

    Args:
        target: The address.
        said_already: Whether the browser shows the script's address; if not, it is written even if nothing changes.
    """
    said, wanted = _said(), target.parameters()
    if wanted != said:
        before = going.left if (going := _going()) else []
        left = [place for place in [*before, said] if place != wanted]
        st.session_state[_GOING] = _Going(streamlit_private.page_hash(), left, wanted, written() + 1)
    elif said_already:
        return
    _write({name: wanted[name] for name in [*said, *wanted] if name in wanted})


def unheard() -> int:
    """The number of the writing that the browser has yet to confirm; 0 if there is none."""
    return going.number if (going := _going()) else 0


def heard(number: int) -> None:
    """To be called when the browser has the address of the writing with this number."""
    if (going := _going()) and going.number <= number:
        del st.session_state[_GOING]


def _write(parameters: dict[str, list[str]]) -> None:
    st.query_params.from_dict(parameters)
    st.session_state[_WRITTEN] = written() + 1


def _said() -> dict[str, list[str]]:
    """The query parameters of the request; of a stale request, those of the new address."""
    said = {name: st.query_params.get_all(name) for name in st.query_params}
    going = _going()
    if going is None or not _is_behind(said, going):
        return said
    _write(going.to)
    return going.to


def _going() -> _Going | None:
    """The last navigation by the script, unless the browser knows it or went on by its own buttons."""
    going: _Going | None = st.session_state.get(_GOING)
    if going is None:
        return None
    if streamlit_private.is_history_navigation() or going.page != streamlit_private.page_hash():
        del st.session_state[_GOING]
        return None
    return going


def _is_behind(said: dict[str, list[str]], going: _Going) -> bool:
    """Whether an address was just left; what the browser writes does not count."""
    run = _run_of(said)
    return said in going.left or (run != _run_of(going.to) and run in map(_run_of, going.left))


def _run_of(parameters: dict[str, list[str]]) -> dict[str, list[str]]:
    """The parameters that the script alone writes."""
    return {name: values for name, values in parameters.items() if name in _OF_THE_SCRIPT}


def open_session(pipeline: str, session: str | None) -> None:
    """Navigates to a session, or with None to a new one.

    The chosen model stays. Faults, models of single agents and a replayed session stay within the same pipeline alone.
    """
    here = of_playground()
    if (here.pipeline, here.session) != (pipeline, session):
        if here.pipeline not in {None, pipeline}:
            kept = None if here.model and model_choices.is_replay(here.model) else here.model
            here = replace(here, model=kept, faults=(), agent_models=())
        go(replace(here, pipeline=pipeline, session=session, settings=(), teach=None))
