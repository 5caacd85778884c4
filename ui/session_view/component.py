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

from ui.session_view.bundle import bundle

_FOLDER = Path(__file__).parent
STYLES = ("frame", "graph", "list", "decisions", "cards", "inspector", "playbook", "usage")

PriceRow = tuple[str, float, float, float | None]
"""A model's name, and US dollars for a million tokens sent, received, and sent that were kept; None for the price of any."""

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
    written: int = 0,
    running: bool | None = None,
    empty: tuple[str, str] | None = None,
    prices: Sequence[PriceRow] = (),
    playbook: tuple[str, int, int] | None = None,
    height: int | Literal["fill", "stretch"] = "fill",
    key: str = "session_view",
    on_answer: Callable[[Answer], None] | None = None,
    on_feedback: Callable[[Feedback], None] | None = None,
) -> None:
    """Draws a session: agent graph, live event list, inspector.

    The view reads the selected event and the open tab from the page's address (`?event=&tab=`) and writes them there itself.

    Args:
        pipeline: The pipeline's name.
        session: The session to show; None shows the graph and `empty`.
        tree: The agent tree, see `agents.pipeline.describe_tree`.
        written: How often the script has written the page's address; after each time the view looks at it again.
        running: Whether the page takes the session to be running; a view that finds otherwise says so once.
        empty: Title and text that teach what will happen, for when there is no session.
        prices: What models cost, to be looked up as `agents.models.pricing.price_of` does.
        playbook: Name, revision and number of bullets of the playbook that the next run starts with, if it has one.
        height: "fill" takes the height from here to the chat input; "stretch" the container's; a number is in px.
        key: Identity of the view on the page. Keep it the same while pipeline and session change.
        on_answer: Called before the script runs because a person answered a call that waits; without it, cards of such calls
            are read only.
        on_feedback: Likewise because they judged one of a pipeline that learns; without it, there are no thumbs.
    """
    _mount(
        key=key,
        data={  # no dictionary in a dictionary: Streamlit would import pandas to see whether it is a table
            **_subject(pipeline, session, tree),
            "written": written,
            "running": running,
            "playbook": playbook,
            **_said(empty, prices),
            **_manner(height, on_answer, on_feedback),
        },
        height="content" if height == "fill" else height,
        **_reactions(key, on_answer, on_feedback),
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
    on_answer: Callable[[Answer], None] | None,
    on_feedback: Callable[[Feedback], None] | None,
) -> dict[str, Any]:
    """What the component calls, by its own names."""
    return {
        "on_run_changed_change": _nothing,
        "on_answer_change": partial(_hand_on, key, on_answer) if on_answer else _nothing,
        "on_feedback_change": partial(_hand_on_feedback, key, on_feedback) if on_feedback else _nothing,
    }


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


def _nothing() -> None:
    """A key needs a callback for its value to be kept."""
