"""Rows of a comparison as HTML. Every character of a session's text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from agents import SessionSummary
from agents.comparison import Comparison, Piece, Row, word_diff
from agents.history import Place, Step, Turn, Usage
from ui.kit.html_text import escaped
from ui.text.amounts import seconds_in_words
from ui.text.answered_by import models_of
from ui.text.labels import fork_words, many, plain, status_words, title_of
from ui.text.visible_text import visible_directions

LONGEST_SAME = 240
"""Characters of a text that is the same; longer ones are cut in the middle."""
LONGEST_CHANGE = 3000
"""Characters of one change."""
THIS_TEXT = "to this text"
"""What is said of a state key that is set to the text of its turn."""
WORDS = {
    "text": "text",
    "thoughts": "thoughts",
    "calls": "tool calls",
    "results": "tool results",
    "state": "state",
    "playbook": "playbook",
    "control": "what comes next",
    "files": "files",
    "error": "error",
    "model": "model",
    "prompt": "prompt",
    "order": "order",
}
"""Fields in which turns differ, in words."""


def table(sessions: Sequence[SessionSummary], compared: Comparison, rows: Sequence[tuple[Row, bool]]) -> str:
    """The comparison as a table.

    Args:
        sessions: The sessions, one column each.
        compared: Their comparison.
        rows: Rows of it to show, each with whether it is the first divergence.
    """
    usage = compared.usage
    each = zip(sessions, usage, compared.changed, strict=True)
    heads = "".join(
        _head(session, used, usage[0], changed, [turn.model for row in compared.rows if (turn := row.turns[at])])
        for at, (session, used, changed) in enumerate(each)
    )
    body = "".join(_row(sessions, row, is_first=is_first) for row, is_first in rows)
    return f'<table class="beside compared"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def first_difference(sessions: Sequence[SessionSummary], compared: Comparison) -> int | None:
    """Index of the first row that differs; what a session that runs has not reached yet is no difference."""

    def differs(row: Row) -> bool:
        missing = [session for session, turn in zip(sessions, row.turns, strict=True) if turn is None]
        return bool(row.differs) or any(session.status != "running" for session in missing)

    return next((index for index, row in enumerate(compared.rows) if row.kind != "same" and differs(row)), None)


def place_words(place: Place) -> str:
    """A place in words, e.g. "Loop, pass 2 → Critic"; plain text."""
    if place.kind == "start":
        return "Start state"
    if place.kind == "pause":
        return f"Pause of run {place.run}"
    if place.kind == "end":
        return f"End of run {place.run}"
    path = list(map(_step_words, place.path))
    if not place.path or place.path[-1].agent != place.author:
        path.append(place.author)
    turn = f", turn {place.turn}" if place.turn > 1 else ""
    run = f"Run {place.run}: " if place.run > 1 else ""
    return visible_directions(f"{run}{' → '.join(path)}{turn}")


def _step_words(step: Step) -> str:
    call = f", call {step.call}" if step.call > 1 else ""
    return f"{step.agent}{call}, pass {step.iteration}" if step.iteration else f"{step.agent}{call}"


def difference_words(row: Row) -> str:
    """What is different in a row, in words."""
    named = ", ".join(WORDS[name] for name in row.differs)
    if row.kind == "only":
        there = sum(turn is not None for turn in row.turns)
        return f"only in {there} of {len(row.turns)}" + (f"; other {named}" if named else "")
    return f"other {named}" if named else "the same"


def _head(session: SessionSummary, used: Usage, first: Usage, changed: str, asked: Sequence[str]) -> str:
    query = urlencode({"pipeline": session.app_name, "session": session.id})
    said = [
        status_words(session.status),
        fork_words(changed) if changed or session.fork else "",
        session.app_name,
        models_of(asked, model=session.model, simulated=session.simulated),
        _counted(used.calls, first.calls, "call"),
        _counted(used.sent, first.sent, "token", "sent"),
        _counted(used.received, first.received, "token", "received"),
        seconds_in_words(used.seconds),
        "" if used.cost is None else f"${used.cost:.4f}" if used.cost else "$0",
    ]
    facts = " · ".join(escaped(visible_directions(fact)) for fact in said if fact)
    title = escaped(visible_directions(title_of(session.title)))
    link = f'<a href="./?{escaped(query)}" target="_self"><b>{title}</b></a>'
    return f'<th scope="col">{link}<div class="facts">{facts}</div></th>'


def _counted(number: int, first: int, noun: str, what: str = "") -> str:
    change = f" ({number - first:+,})" if number != first else ""
    return f"{many(number, noun)}{f' {what}' if what else ''}{change}"


def _row(sessions: Sequence[SessionSummary], row: Row, *, is_first: bool) -> str:
    first = '<span class="badge first">first difference</span> ' if is_first else ""
    where = (
        f'<div class="section">{first}{escaped(place_words(row.place))} <span>{escaped(difference_words(row))}</span></div>'
    )
    head = f'<tr class="place"><th colspan="{len(sessions)}" scope="rowgroup">{where}</th></tr>'
    cells = "".join(
        f"<td>{_cell(session, turn, _other(row, index), row)}</td>"
        for index, (session, turn) in enumerate(zip(sessions, row.turns, strict=True))
    )
    return f'{head}<tr class="{row.kind}">{cells}</tr>'


def _other(row: Row, index: int) -> Turn | None:
    """The turn that one is compared with: the first of the others that is there."""
    return next((turn for at, turn in enumerate(row.turns) if at != index and turn is not None), None)


def _cell(session: SessionSummary, turn: Turn | None, other: Turn | None, row: Row) -> str:
    if turn is None:
        return f'<span class="none">not there{" yet" if session.status == "running" else ""}</span>'
    mine = _parts(turn, row)
    theirs = dict(mine if other is None else _parts(other, row))
    is_left = next(each for each in row.turns if each is not None) is turn
    said = "".join(_part(label, text, theirs.get(label, ""), is_left=is_left) for label, text in mine)
    return f'{said or "<div class=none>empty</div>"}<div class="facts">{_link(session, turn)}{_used(turn)}</div>'


def _parts(turn: Turn, row: Row) -> list[tuple[str, str]]:
    """What a turn says, as labelled texts. The model is left out where all asked the same."""
    parts = [
        ("", turn.text),
        ("thinks", turn.thoughts),
        *((f"calls {number}" if number > 1 else "calls", call) for number, call in enumerate(turn.calls, start=1)),
        *((f"result {number}" if number > 1 else "result", said) for number, said in enumerate(turn.results, start=1)),
        *((f"sets {key}", THIS_TEXT if value and value == turn.text else value) for key, value in turn.state.items()),
        ("playbook", turn.playbook),
        ("then", turn.control),
        *((f"saves {number}" if number > 1 else "saves", name) for number, name in enumerate(turn.files, start=1)),
        ("error", turn.error),
        ("model", turn.model if "model" in row.differs else ""),
    ]
    return [(label, text) for label, text in parts if text]


def _part(label: str, text: str, theirs: str, *, is_left: bool) -> str:
    """A labelled text; what the other one lacks is marked."""
    if theirs == text:
        said = _short(text)
    elif is_left:
        said = "".join(_piece(piece, "del") for piece in word_diff(text, theirs) if piece.kind != "new")
    else:
        said = "".join(_piece(piece, "ins") for piece in word_diff(theirs, text) if piece.kind != "gone")
    name = f'<span class="why">{escaped(visible_directions(label))}</span> ' if label else ""
    return f'<div class="said" dir="auto">{name}{said}</div>'


def _piece(piece: Piece, mark: str) -> str:
    if piece.kind == "same":
        return _short(piece.text)
    cut = piece.text[:LONGEST_CHANGE]
    left = len(piece.text) - len(cut)
    return f"<{mark}>{_shown(cut)}</{mark}>" + (f" … {many(left, 'more character')}" if left else "")


def _short(text: str) -> str:
    """A text without its middle if it is long."""
    left = len(text) - LONGEST_SAME
    if left <= 0:
        return _shown(text)
    end = LONGEST_SAME // 2
    return f'{_shown(text[:end])}<span class="none"> … {many(left, "character")} … </span>{_shown(text[-end:])}'


def _shown(text: str) -> str:
    return escaped(visible_directions(text))


def _link(session: SessionSummary, turn: Turn) -> str:
    if not turn.number or turn.place.kind == "start":
        return ""
    query = urlencode({"pipeline": session.app_name, "session": session.id, "at": turn.number})
    return f'<a href="./?{escaped(query)}" target="_self">event {turn.number:,}</a>'


def _used(turn: Turn) -> str:
    if not turn.usage.calls:
        return ""
    used = f"{turn.usage.sent:,} → {many(turn.usage.received, 'token')} · {seconds_in_words(turn.usage.seconds)}"
    cost = "" if not turn.usage.cost else f" · ${turn.usage.cost:.4f}"
    return f"<span>{used}{cost}</span>"


def parting_words(row: Row) -> str:
    """Where sessions part, as Markdown."""
    return f"They part at **{plain(place_words(row.place))}**: {difference_words(row)}."
