"""The outcome of a step, in a line or two of Markdown: read from the log and the playbook, never from the script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from ui.demo.play import Demo
from ui.demo.script import Action, Ask, Edit, SessionName, Step, Thumb, Undo
from ui.demo.turns import Turn
from ui.text.labels import plain, status_words, title_of

AT_WORK = "● At work …"
NAMES = {"first": "the first session", "second": "the second session"}
_ANSWER, _CONTENT = 60, 90
"""Characters shown of an answer and of a bullet's text."""


def told(demo: Demo, step: Step) -> str:
    """The outcome of a step so far."""
    if not step.actions:
        return _what_was_written(demo, step.about) if step.at_delta and isinstance(step.about, Ask) else what_there_is(demo)
    parts = [_of_action(demo, action) for action in step.actions]
    return "  \n".join(part for part in parts if part)


def _of_action(demo: Demo, action: Action) -> str:
    match action:
        case Ask():
            turn = demo.turn(action)
            return "" if turn is None else of_turn(demo, action, turn)
        case Thumb():
            turn = demo.turn(action)
            return "Nothing was judged: there was no answer." if turn is None else _of_thumb(turn)
        case Undo():
            undo = demo.undone(action.after)
            if undo is None:
                return "Nothing was undone: the curator had written nothing."
            return f"Undone, revision {undo.undoes}: {_changes(undo.applied)}."
        case Edit():
            edit = demo.edited(action)
            return "Nothing was edited: there was no such bullet." if edit is None else f"Edited: {_changes(edit.applied)}."
        case _:
            assert_never(action)


def of_turn(demo: Demo, ask: Ask, turn: Turn) -> str:
    """The outcome of a question: the answer, the cited bullets, and the changes of the playbook."""
    if turn.status == "running":
        return AT_WORK
    if turn.answer is None:
        return f"{status_words(turn.status)}, without an answer."
    return f"{_verdict(turn)} {_citation(demo, ask, turn)}{_end(turn)}{_in_playbook(turn)}"


def _of_thumb(turn: Turn) -> str:
    if turn.status == "running":
        return AT_WORK
    answer = plain(title_of(turn.answer or "", length=_ANSWER))
    return f"✗ **Judged:** a thumb down says that “{answer}” is wrong.{_end(turn)}{_in_playbook(turn)}"


def _end(turn: Turn) -> str:
    """How a run ended, if it did not complete."""
    return "" if turn.status == "completed" else f" The run: {status_words(turn.status)}."


def _in_playbook(turn: Turn) -> str:
    changed = _changes(turn.changes)
    return f"  \nPlaybook: {changed}." if changed else " Playbook: no change."


def _verdict(turn: Turn) -> str:
    answer = f"“{plain(title_of(turn.answer or '', length=_ANSWER))}”"
    if turn.mistake is None:
        return f"○ **Answered** {answer}, which has no feedback yet."
    if turn.is_guess:
        found = "finds nothing wrong" if not turn.mistake else "believes it to be wrong"
        return f"○ **Answered** {answer}. Without any feedback the reflector {found}, which proves nothing."
    if not turn.mistake:
        return f"✓ **Right:** {answer}."
    right = f" The right answer is “{plain(title_of(turn.expected, length=_ANSWER))}”." if turn.expected else ""
    return f"✗ **Wrong:** {answer}.{right}"


def _citation(demo: Demo, ask: Ask, turn: Turn) -> str:
    if not turn.cited:
        return "It cites no bullet."
    homes: dict[str, SessionName | None] = {id_: demo.written_in(id_) for id_ in turn.cited}
    told = [_cited([id_ for id_ in turn.cited if homes[id_] == home], home, ask) for home in dict.fromkeys(homes.values())]
    return f"It cites {', '.join(told)}."


def _cited(ids: list[str], home: SessionName | None, ask: Ask) -> str:
    where = f", written in {NAMES[home]}" if home and home != ask.session else ""
    return f"{' and '.join(map(_id, ids))}{where}"


def _what_was_written(demo: Demo, ask: Ask) -> str:
    turn = demo.turn(ask)
    learned = turn.learned if turn else None
    if learned is None:
        return "The curator wrote nothing."
    return f"Revision {learned.revision} of “{plain(demo.playbook)}”: {_changes(learned.applied)}."


def what_there_is(demo: Demo) -> str:
    """The playbook as it is now, in a sentence."""
    playbook = demo.store.playbook()
    if not playbook.revision:
        return f"Playbook “{plain(demo.playbook)}”: no bullets yet."
    bullets = "1 bullet" if len(playbook) == 1 else f"{len(playbook)} bullets"
    return f"Playbook “{plain(demo.playbook)}”: {bullets} after {playbook.revision} revisions."


def _changes(changes: Sequence[dict[str, Any]]) -> str:
    return ", ".join(_CHANGES[change["type"]](change) for change in changes if change["type"] in _CHANGES)


def _id(id_: str) -> str:
    return f"**{plain(id_)}**"


def _quoted(content: str) -> str:
    """A bullet's text, without its examples."""
    said, semicolon, _ = content.partition(";")
    return f"“{plain(title_of(said, length=_CONTENT))}{' …' if semicolon else ''}”"


def _removed(change: dict[str, Any]) -> str:
    reason = f" ({plain(title_of(change['reason'], length=_CONTENT))})" if change.get("reason") else ""
    return f"{_id(change['bullet_id'])} removed{reason}"


_CHANGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "ADD": lambda change: f"new {_id(change['bullet_id'])} {_quoted(change['content'])}",
    "UPDATE": lambda change: f"{_id(change['bullet_id'])} now says {_quoted(change['content'])}",
    "MERGE": lambda change: f"{_id(change['bullet_id'])} merges {', '.join(map(_id, change['bullet_ids']))}",
    "TAG": lambda change: f"{_id(change['bullet_id'])} tagged {change['tag']}",
    "REMOVE": _removed,
    "RESTORE": lambda change: f"{_id(change['bullet_id'])} is back",
    "ARCHIVE": lambda change: f"{_id(change['bullet_id'])} archived",
}
"""Type of change → its words; changes of other types, such as citations, are not mentioned."""
