"""The rows below the verdict: the bullets that the answer cites, and what changed in the playbook."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from ui.demo.script import Action, Ask, Edit, Thumb, Undo, day
from ui.demo.stage.bullet_text import short
from ui.demo.stage.picture import Kind, Row
from ui.text.labels import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.ace import DeltaRecord
    from ui.demo.play import Demo
    from ui.demo.script import Step
    from ui.demo.turns import Turn

_WORDS: dict[str, tuple[Kind, str]] = {
    "ADD": ("added", "new"),
    "UPDATE": ("changed", "now says"),
    "MERGE": ("changed", "merged"),
    "REMOVE": ("removed", "removed"),
    "RESTORE": ("added", "back"),
    "ARCHIVE": ("removed", "archived"),
}
"""Type of change → its kind and its word. Other types, such as tags and citations, have no row of their own."""
_REASON = 90
"""Characters shown of a reason."""


def of_step(demo: Demo, step: Step, revision: int) -> list[Row]:
    """The rows of a step: of its actions, or of the question that it shows.

    Args:
        demo: The demo.
        step: The step.
        revision: The playbook's revision after it.
    """
    actions: Sequence[Action] = step.actions or ((step.about,) if step.about else ())
    return [row for action in actions for row in _of_action(demo, action, revision)]


def _of_action(demo: Demo, action: Action, revision: int) -> list[Row]:
    match action:
        case Ask():
            return _of_question(demo, action, revision)
        case Thumb():
            return _of_thumb(demo, action, revision)
        case Undo():
            return _by_user(demo, demo.undone(action.after), "undone", "Nothing was undone: the curator wrote nothing.")
        case Edit():
            return _by_user(demo, demo.edited(action), "edited", "Nothing was edited: there was no such bullet.")
        case _:
            assert_never(action)


def _of_question(demo: Demo, ask: Ask, revision: int) -> list[Row]:
    turn = demo.turn(ask)
    if turn is None or turn.answer is None:
        return []
    given = _given(turn, revision)
    return [*_cited(demo, ask, turn, given), *_changes(demo, turn.changes, before=given)]


def _of_thumb(demo: Demo, thumb: Thumb, revision: int) -> list[Row]:
    judged, turn = demo.turn(thumb.after), demo.turn(thumb)
    if judged is None or judged.answer is None:
        return [_plain("Nothing was judged: there was no answer.")]
    if turn is None:
        return []
    given = _given(turn, revision)
    return [*_tagged(demo, turn, given), *_changes(demo, turn.changes, before=given)]


def _plain(text: str) -> Row:
    return Row("plain", "", text)


def _by_user(demo: Demo, record: DeltaRecord | None, note: str, nothing: str) -> list[Row]:
    if record is None:
        return [_plain(nothing)]
    return [replace(row, note=note) for row in _changes(demo, list(record.applied), before=record.revision - 1)]


def _cited(demo: Demo, ask: Ask, turn: Turn, given: int) -> list[Row]:
    """The bullets that an answer cites, as the generator was given them."""
    if not turn.cited:
        return [_plain("The answer cites no bullet.")]
    tags = _tags(turn)
    found: list[Row] = []
    for id_ in turn.cited:
        home = demo.written_in(id_)
        written = f"written on {day(home)}" if home and home != ask.session else ""
        more = ", ".join(part for part in (written, tags.get(id_, "")) if part)
        found.append(Row("cited", "cites", _text(demo, given, id_), id_, more))
    return found


def _tagged(demo: Demo, turn: Turn, given: int) -> list[Row]:
    return [Row("tagged", tag, _text(demo, given, id_), id_) for id_, tag in _tags(turn).items()]


def _tags(turn: Turn) -> dict[str, str]:
    return {change["bullet_id"]: f"tagged {change['tag']}" for change in turn.changes if change["type"] == "TAG"}


def _changes(demo: Demo, changes: Sequence[dict[str, Any]], *, before: int) -> list[Row]:
    found: list[Row] = []
    for change in changes:
        if change["type"] not in _WORDS:
            continue
        kind, note = _WORDS[change["type"]]
        id_ = change["bullet_id"]
        text = short(change["content"]) if "content" in change else _text(demo, before, id_)
        reason = title_of(change["reason"], length=_REASON) if change.get("reason") else ""
        found.append(Row(kind, note, text, id_, reason))
    return found


def _given(turn: Turn, after: int) -> int:
    """The playbook's revision that a turn's agents were given, from the one after it."""
    return turn.deltas[0].revision - 1 if turn.deltas else after


def _text(demo: Demo, revision: int, id_: str) -> str:
    """A bullet's text at a revision; "" if it had none."""
    bullet = demo.at(revision).get(id_)
    return short(bullet.content) if bullet else ""
