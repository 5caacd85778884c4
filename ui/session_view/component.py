"""The session view as a Streamlit component: one call draws a session's graph, events and inspector.

The page passes what to show; the view fetches the log itself over the WebSocket of `ui.web.routes.feed` and keeps it live.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

import streamlit as st
from streamlit.components import v2

from agents.models import PriceRow
from ui.session_view.bundle import bundle

_FOLDER = Path(__file__).parent
STYLES = ("frame", "graph", "list", "decisions", "cards", "inspector", "playbook", "usage")

Tab = Literal["state", "event", "timeline", "usage", "playbook", "json"]
TABS: tuple[Tab, ...] = ("state", "event", "timeline", "usage", "playbook", "json")

_mount = v2.component(
    "session_view",
    js=bundle(_FOLDER / "js" / "component.js"),
    css="\n".join((_FOLDER / "css" / f"{name}.css").read_text(encoding="utf-8") for name in STYLES),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answers to a call that waits for them.

    Attributes:
        call_id: The call.
        response: The answer: of a confirmation `{"confirmed": bool}`, with "reason", "args" and "payload" where there are
            any; of any other call an object of the person's own, or `{"result": …}`.
    """

    call_id: str
    response: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a person says of an answer.

    Attributes:
        event: `seq` of the answer.
        right: Whether it is right; None where they tell an outcome instead.
        answer: What would have been right, if they say so.
        outcome: What came of executing something, e.g. "exit code 1: expected 1.5".
    """

    event: int
    right: bool | None
    answer: str | None
    outcome: str | None = None


def session_view(  # noqa: PLR0913  each is a value or a reaction of its own
    *,
    pipeline: str,
    session: str | None,
    tree: Mapping[str, Any] | None,
    event: int | None = None,
    tab: str | None = None,
    running: bool | None = None,
    empty: tuple[str, str] | None = None,
    prices: Sequence[PriceRow] = (),
    playbook: tuple[str, int, int] | None = None,
    height: int | Literal["fill", "stretch"] = "fill",
    key: str = "session_view",
    on_event_change: Callable[[], None] | None = None,
    on_tab_change: Callable[[], None] | None = None,
    on_answer: Callable[[Answer], None] | None = None,
    on_feedback: Callable[[Feedback], None] | None = None,
) -> None:
    """Draws a session: agent graph, live event list, inspector.

    Args:
        pipeline: The pipeline's name.
        session: The session to show; None shows the graph and `empty`.
        tree: The agent tree, see `agents.pipeline.describe_tree`.
        event: `seq` of the entry to select. The view follows changes of it, and ignores its own choices coming back.
        tab: The inspector's tab to open, one of `TABS`; another name opens the first.
        running: Whether the page takes the session to be running; a view that finds otherwise says so once.
        empty: Title and text that teach what will happen, for when there is no session.
        prices: What models cost, as `agents.models.price_rows` gives it.
        playbook: Name, revision and number of bullets of the playbook that the next run starts with, if it has one.
        height: "fill" takes the height from here to the chat input; "stretch" the container's; a number is in px.
        key: Identity of the view on the page. Keep it the same while pipeline and session change.
        on_event_change: Called before the script runs because the selection changed.
        on_tab_change: Likewise for the tab.
        on_answer: Likewise because a person answered a call that waits; without it, cards of such calls are read only.
        on_feedback: Likewise because they judged one of a pipeline that learns; without it, there are no thumbs.
    """
    event = _settled(key, "event", event)
    chosen: Tab | None = _settled(key, "tab", next((known for known in TABS if known == tab), None))
    _mount(
        key=key,
        data={  # no dictionary in a dictionary: Streamlit would import pandas to see whether it is a table
            **_subject(pipeline, session, tree),
            "event": event,
            "tab": chosen,
            "running": running,
            "playbook": playbook,
            **_said(empty, prices),
            **_manner(height, on_answer, on_feedback),
        },
        default={"event": event, "tab": chosen},
        height="content" if height == "fill" else height,
        **_reactions(key, on_event_change, on_tab_change, on_answer, on_feedback),
    )


def _subject(pipeline: str, session: str | None, tree: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is shown."""
    return {"pipeline": pipeline, "session": session, "tree": (dict(tree),) if tree else None}


def _said(empty: tuple[str, str] | None, prices: Sequence[PriceRow]) -> dict[str, Any]:
    """What is told beside it."""
    return {"empty": empty or ("", ""), "prices": tuple(prices)}


def _manner(
    height: int | str, on_answer: Callable[[Answer], None] | None, on_feedback: Callable[[Feedback], None] | None
) -> dict[str, bool]:
    """What the view is to offer, and whether it takes all the height there is."""
    return {"answerable": on_answer is not None, "judgeable": on_feedback is not None, "fill": height == "fill"}


def _reactions(
    key: str,
    on_event_change: Callable[[], None] | None,
    on_tab_change: Callable[[], None] | None,
    on_answer: Callable[[Answer], None] | None,
    on_feedback: Callable[[Feedback], None] | None,
) -> dict[str, Any]:
    """What the component calls, by its own names."""
    return {
        "on_event_change": partial(_note, key, "event", on_event_change),
        "on_tab_change": partial(_note, key, "tab", on_tab_change),
        "on_run_changed_change": _nothing,
        "on_answer_change": partial(_hand_on, key, on_answer) if on_answer else _nothing,
        "on_feedback_change": partial(_hand_on_feedback, key, on_feedback) if on_feedback else _nothing,
    }


def _note(key: str, name: str, then: Callable[[], None] | None) -> None:
    """Remembers for the coming script run that the person, not the page, changed `name`."""
    st.session_state[f"{key}:{name}"] = True
    if then is not None:
        then()


def _hand_on(key: str, on_answer: Callable[[Answer], None]) -> None:
    """Gives an answer on as what it should be; a browser may send anything."""
    match st.session_state[key].get("answer"):
        case {"call_id": str(call_id), "response": dict(response)}:
            on_answer(Answer(call_id, cast("dict[str, Any]", response)))
        case _:
            pass


def _hand_on_feedback(key: str, on_feedback: Callable[[Feedback], None]) -> None:
    """Likewise for a verdict."""
    match st.session_state[key].get("feedback"):
        case {"event": int(event), "right": bool(right), "answer": str() | None as answer} if not isinstance(event, bool):
            on_feedback(Feedback(event, right, answer))
        case {"event": int(event), "outcome": str(outcome)} if not isinstance(event, bool) and outcome.strip():
            on_feedback(Feedback(event, None, None, outcome.strip()))
        case _:
            pass


def _settled(key: str, name: str, given: Any) -> Any:
    """The person's choice in the run that it caused; in every other run the page's own value, e.g. from the address.

    The component's state is brought into line with the page's value, so that a person who then undoes it is noticed.
    """
    held = st.session_state.get(key)
    if st.session_state.pop(f"{key}:{name}", False) and held is not None:
        return held.get(name)
    if held is not None and held.get(name) != given:
        held[name] = given
    return given


def _nothing() -> None:
    """A key needs a callback for its value to be kept."""
