"""The session view as a Streamlit component: one call draws a session's graph, events and inspector.

The page passes what to show; the view fetches the log itself over the WebSocket of `ui.web.routes.feed` and keeps it live.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast, get_args

from streamlit.components import v2

from agents.models import PriceRow, context_windows
from ui.browser.bundle import style_sheet
from ui.browser.component_script import component_script
from ui.dependencies import streamlit_private

_FOLDER = Path(__file__).parent

_mount = v2.component(
    "session_view",
    js=component_script(_FOLDER / "js" / "component.js", "session_view"),
    css=style_sheet(_FOLDER / "css"),
)


Kind = Literal["change", "state", "model", "bullet", "playbook", "case"]
"""What is asked of an entry."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The user's answer to a waiting call.

    Attributes:
        call_id: The call.
        response: The response. For a confirmation `{"confirmed": bool}`, optionally with "reason", "args" (those that were
            edited) and "payload"; for any other call a JSON object, or `{"result": …}`.
    """

    call_id: str
    response: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Feedback:
    """The user's feedback on an answer.

    Attributes:
        event: `seq` of the answer.
        right: Whether it is right; None if the user reports an outcome instead.
        answer: The right answer, if the user gives one.
        outcome: The outcome of executing something, e.g. "exit code 1: expected 1.5".
    """

    event: int
    right: bool | None
    answer: str | None
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The user's question how a session would have gone on otherwise, or the wish to keep an answer as a case.

    Attributes:
        event: `seq` of the entry.
        kind: Ask what is to be different, for the value of a missing state key, or which model is to answer; run the same
            message at once without a bullet or without the playbook; or keep the answer as a case.
        about: The bullet to leave out, the state key, or the id of the call whose result is to be another one.
    """

    event: int
    kind: Kind
    about: str = ""


def session_view(  # noqa: PLR0913  each is a value or a callback of its own
    *,
    pipeline: str,
    session: str | None,
    tree: Mapping[str, Any] | None,
    written: int = 0,
    running: bool | None = None,
    empty: tuple[str, str] | None = None,
    prices: Sequence[PriceRow] = (),
    playbook: tuple[str, int, int] | None = None,
    lesson: Mapping[str, Any] | None = None,
    height: int | Literal["fill", "stretch"] = "fill",
    key: str = "session_view",
    on_answer: Callable[[Answer], None] | None = None,
    on_feedback: Callable[[Feedback], None] | None = None,
    on_what_if: Callable[[WhatIf], None] | None = None,
    on_message: Callable[[str], None] | None = None,
) -> None:
    """Draws a session: agent graph, live event list, inspector.

    The view reads the selected event and the open tab from the page's address (`?at=&tab=`) and writes them there itself.

    Args:
        pipeline: The pipeline's name.
        session: The session to show; None shows the graph and `empty`.
        tree: The agent tree, see `agents.pipeline.describe_tree`.
        written: How often the script has written the page's URL; after each time the view reads it again.
        running: Whether the page shows the session as running; the view reports once if that is wrong.
        empty: Title and text to show when there is no session.
        prices: What models cost, as `agents.models.price_rows` gives it.
        playbook: Name, revision and number of bullets of the playbook that the next run starts with, if it has one.
        lesson: The pipeline's lesson, as `ui.session_view.lesson_of` gives it; without one there is no Lesson tab.
        height: "fill" for the height down to the chat input, "stretch" for the container's; a number is in px.
        key: Identity of the view on the page. Keep it the same while pipeline and session change.
        on_answer: Called before the script run that an answer to a waiting call causes; without it, cards of waiting calls
            are read-only.
        on_feedback: Likewise for feedback on an answer; without it, there are no thumbs.
        on_what_if: Likewise for a fork at an entry; without it, there is no button for that.
        on_message: Likewise for an example of a refusal that is to be sent; without it, there are no buttons for that.
    """
    _mount(
        key=key,
        data={  # no nested dictionary: Streamlit would import pandas to check whether it is a table
            **_session_data(pipeline, session, tree, lesson),
            "written": written,
            "running": running,
            "playbook": playbook,
            **_page_data(empty, prices),
            **_view_options(height, on_answer, on_feedback),
            "forkable": on_what_if is not None,
            "sendable": on_message is not None,
        },
        height="content" if height == "fill" else height,
        **_callbacks(key, on_answer, on_feedback),
        on_what_if_change=partial(_forward_what_if, key, on_what_if) if on_what_if else _no_callback,
        on_message_change=partial(_forward_message, key, on_message) if on_message else _no_callback,
    )


def _session_data(
    pipeline: str, session: str | None, tree: Mapping[str, Any] | None, lesson: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The session to show. Tree and lesson are in tuples because Streamlit imports pandas for a nested dictionary."""
    in_tuples = {name: (dict(value),) if value else None for name, value in (("tree", tree), ("lesson", lesson))}
    return {"pipeline": pipeline, "session": session, **in_tuples}


def _page_data(empty: tuple[str, str] | None, prices: Sequence[PriceRow]) -> dict[str, Any]:
    """Texts and prices from the page, and how much each model reads."""
    return {"empty": empty or ("", ""), "prices": tuple(prices), "windows": tuple(context_windows().items())}


def _view_options(
    height: int | str, on_answer: Callable[[Answer], None] | None, on_feedback: Callable[[Feedback], None] | None
) -> dict[str, bool]:
    """What the view offers, and whether it fills the height."""
    return {"answerable": on_answer is not None, "judgeable": on_feedback is not None, "fill": height == "fill"}


def _callbacks(
    key: str,
    on_answer: Callable[[Answer], None] | None,
    on_feedback: Callable[[Feedback], None] | None,
) -> dict[str, Any]:
    """The component's callbacks, by Streamlit's names."""
    return {
        "on_run_changed_change": _no_callback,
        "on_answer_change": partial(_forward_answer, key, on_answer) if on_answer else _no_callback,
        "on_feedback_change": partial(_forward_feedback, key, on_feedback) if on_feedback else _no_callback,
    }


def _forward_answer(key: str, on_answer: Callable[[Answer], None]) -> None:
    """Passes a well-formed answer to the page; a browser may send anything."""
    match streamlit_private.sent_with(key, "answer"):
        case {"call_id": str(call_id), "response": str(text)}:  # as text: JavaScript's numbers would lose digits on the way
            response = _object_in(text)
            if response is not None:
                on_answer(Answer(call_id, response))
        case _:
            pass


def _object_in(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _forward_feedback(key: str, on_feedback: Callable[[Feedback], None]) -> None:
    """Passes well-formed feedback to the page."""
    match streamlit_private.sent_with(key, "feedback"):
        case {"event": int(event), "right": bool(right), "answer": str() | None as answer} if not isinstance(event, bool):
            on_feedback(Feedback(event, right, answer))
        case {"event": int(event), "outcome": str(outcome)} if not isinstance(event, bool) and outcome.strip():
            on_feedback(Feedback(event, None, None, outcome.strip()))
        case _:
            pass


def _forward_what_if(key: str, on_what_if: Callable[[WhatIf], None]) -> None:
    """Passes a well-formed question to the page."""
    match streamlit_private.sent_with(key, "what_if"):
        case {"event": int(event), "kind": str(kind), "about": str(about)} if kind in get_args(Kind):
            if not isinstance(event, bool):
                on_what_if(WhatIf(event, cast("Kind", kind), about))
        case _:
            pass


def _forward_message(key: str, on_message: Callable[[str], None]) -> None:
    """Passes a message that is not empty to the page."""
    match streamlit_private.sent_with(key, "message"):
        case str(message) if message.strip():
            on_message(message)
        case _:
            pass


def _no_callback() -> None:
    """Does nothing. Streamlit keeps a component's value only if it has a callback."""
