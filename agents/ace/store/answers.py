"""The rows of judged answers: how often a playbook's answers were right. Functions over a connection.

A row is written in the transaction of the event that judges the answer, also where the playbook is frozen. A later judgement
of the same answer, e.g. a thumb, is one more row; the last one counts.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple, cast

from agents.ace.operations import FeedbackKind, Judgement
from agents.ace.store.rows import Row, key_of
from agents.storage.reducer import Origin


class JudgedAnswer(NamedTuple):
    """An answer that was given with a playbook, and what feedback said of it.

    Attributes:
        revision: The playbook's revision that the answer was judged at; its own delta comes after.
        at: When, in seconds since the epoch.
        app_name: The pipeline of its session.
        session_id: The session, which may have been deleted.
        seq: `seq` of the event with the answer.
        question: The question; "" for answers of versions that did not store it.
        right: Whether it is right; None if nothing said so.
        feedback: What said so.
    """

    revision: int
    at: float
    app_name: str
    session_id: str
    seq: int
    question: str
    right: bool | None
    feedback: FeedbackKind


def add(conn: sqlite3.Connection, row: Row, judgement: Judgement, origin: Origin, at: float) -> None:
    """Stores a judgement."""
    values = (row.key, row.revision, at, origin.app_name, origin.session_id, judgement.answer_seq)
    conn.execute(
        "INSERT INTO playbook_answers "
        "(playbook, revision, judged_at, app_name, session_id, seq, question, is_right, feedback) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*values, judgement.question, judgement.right, judgement.feedback),
    )


def judged(conn: sqlite3.Connection, name: str) -> list[JudgedAnswer]:
    """A playbook's answers in the order in which they were first judged, each as it was judged last."""
    rows = conn.execute(
        "SELECT revision, judged_at, app_name, session_id, seq, question, is_right, feedback FROM playbook_answers "
        "WHERE playbook = ? ORDER BY id",
        (key_of(conn, name),),
    )
    found: dict[tuple[str, str, int], JudgedAnswer] = {}
    for revision, at, app_name, session_id, seq, question, right, feedback in rows:
        key = app_name, session_id, seq
        first = found.get(key)
        found[key] = JudgedAnswer(
            first.revision if first else revision,
            first.at if first else at,
            *key,
            question,
            None if right is None else bool(right),
            cast("FeedbackKind", feedback),
        )
    return list(found.values())
