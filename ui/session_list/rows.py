"""A row of the list of sessions, as the page and the socket send it to the browser."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TypedDict

from agents import SessionSummary
from agents.runs import SIMULATED
from ui.text.answered_by import models_of
from ui.text.labels import fork_words, status_words, title_of
from ui.text.visible_text import visible_directions

LONGEST_TITLE = 200
"""Characters of a title; sessions that this version writes have shorter ones."""
LONGEST_MODEL = 60
"""Characters of a model's name."""


class Row(TypedDict):
    """A session in the list. All texts are plain.

    Attributes:
        pipeline: The session's pipeline, by name.
        id: The session.
        title: Its title, on one line.
        status: How it stands, by name.
        outcome: The same as sign and word.
        model: What answered it last, in a word or two; "" for the simulated model and for nothing.
        updated: When it changed last, in seconds since the epoch.
        fork: A fork in words, e.g. "fork: playbook off"; "" for any other session.
    """

    pipeline: str
    id: str
    title: str
    status: str
    outcome: str
    model: str
    updated: float
    fork: str


def row_of(session: SessionSummary) -> Row:
    """The row of a session."""
    return Row(
        pipeline=session.app_name,
        id=session.id,
        title=visible_directions(title_of(session.title, length=LONGEST_TITLE)),
        status=session.status,
        outcome=status_words(session.status),
        model=_model_of(session),
        updated=session.updated_at,
        fork=visible_directions(fork_words(session.changed)) if session.fork else "",
    )


@lru_cache(maxsize=4096)  # a change is told to every tab
def row_json(session: SessionSummary) -> str:
    """The row of a session as JSON."""
    return json.dumps(row_of(session), ensure_ascii=False)


def _model_of(session: SessionSummary) -> str:
    words = models_of(session.models.splitlines(), model=session.model, simulated=session.simulated)
    if words == SIMULATED:
        return ""
    return visible_directions(title_of(words, length=LONGEST_MODEL)) if words else ""
