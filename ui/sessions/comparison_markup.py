"""Rows of a comparison as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from agents import SessionSummary
from agents.comparison import Comparison, Piece, Row, word_diff
from agents.history import Place, Step, Turn, Usage
from ui.kit.elements import Html, element, html
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
    "output": "output",
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


def table(sessions: Sequence[SessionSummary], compared: Comparison, rows: Sequence[tuple[Row, bool]]) -> Html:
    """The comparison as a table.

    Args:
        sessions: The sessions, one column each.
        compared: Their comparison.
        rows: Rows of it to show, each with whether it is the first divergence.
    """
    usage = compared.usage
    each = zip(sessions, usage, compared.changed, strict=True)
    heads = (
        _head(session, used, usage[0], changed, [turn.model for row in compared.rows if (turn := row.turns[at])])
        for at, (session, used, changed) in enumerate(each)
    )
    body = (_row(sessions, row, is_first=is_first) for row, is_first in rows)
    return element("table.beside.compared", element("thead", element("tr", *heads)), element("tbody", *body))


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


def _head(session: SessionSummary, used: Usage, first: Usage, changed: str, asked: Sequence[str]) -> Html:
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
    facts = element("div.facts", visible_directions(" · ".join(filter(None, said))))
    link = _link(session, element("b", visible_directions(title_of(session.title))))
    return element("th", link, facts, scope="col")


def _link(session: SessionSummary, label: str, **moment: int) -> Html:
    query = urlencode({"pipeline": session.app_name, "session": session.id, **moment})
    return element("a", label, href=f"./?{query}", target="_self")


def _counted(number: int, first: int, noun: str, what: str = "") -> str:
    change = f" ({number - first:+,})" if number != first else ""
    return f"{many(number, noun)}{f' {what}' if what else ''}{change}"


def _row(sessions: Sequence[SessionSummary], row: Row, *, is_first: bool) -> Html:
    first = html(element("span.badge.first", "first difference"), " ") if is_first else ""
    words = element("span", difference_words(row))
    where = element("div.section", first, place_words(row.place), " ", words)
    head = element("tr.place", element("th", where, colspan=len(sessions), scope="rowgroup"))
    cells = (
        element("td", _cell(session, turn, _other(row, index), row))
        for index, (session, turn) in enumerate(zip(sessions, row.turns, strict=True))
    )
    return html(head, element(f"tr.{row.kind}", *cells))


def _other(row: Row, index: int) -> Turn | None:
    """The turn that one is compared with: the first of the others that is there."""
    return next((turn for at, turn in enumerate(row.turns) if at != index and turn is not None), None)


def _cell(session: SessionSummary, turn: Turn | None, other: Turn | None, row: Row) -> Html:
    if turn is None:
        return element("span.none", "not there yet" if session.status == "running" else "not there")
    mine = _parts(turn, row)
    theirs = dict(mine if other is None else _parts(other, row))
    is_left = next(each for each in row.turns if each is not None) is turn
    said = html(*(_part(label, text, theirs.get(label, ""), is_left=is_left) for label, text in mine))
    has_event = turn.number and turn.place.kind != "start"
    event = _link(session, f"event {turn.number:,}", at=turn.number) if has_event else ""
    return html(said or element("div.none", "empty"), element("div.facts", event, _used(turn)))


def _parts(turn: Turn, row: Row) -> list[tuple[str, str]]:
    """What a turn says, as labelled texts. The model is left out where all asked the same."""
    parts = [
        ("", turn.text),
        ("thinks", turn.thoughts),
        ("gives", turn.output if turn.output != turn.text else ""),
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


def _part(label: str, text: str, theirs: str, *, is_left: bool) -> Html:
    """A labelled text; what the other one lacks is marked."""
    if theirs == text:
        said = _short(text)
    elif is_left:
        said = html(*(_piece(piece, "del") for piece in word_diff(text, theirs) if piece.kind != "new"))
    else:
        said = html(*(_piece(piece, "ins") for piece in word_diff(theirs, text) if piece.kind != "gone"))
    name = html(element("span.why", visible_directions(label)), " ") if label else ""
    return element("div.said", name, said, dir="auto")


def _piece(piece: Piece, mark: str) -> Html:
    if piece.kind == "same":
        return _short(piece.text)
    cut = piece.text[:LONGEST_CHANGE]
    left = len(piece.text) - len(cut)
    return html(element(mark, visible_directions(cut)), f" … {many(left, 'more character')}" if left else "")


def _short(text: str) -> Html:
    """A text without its middle if it is long."""
    left = len(text) - LONGEST_SAME
    if left <= 0:
        return html(visible_directions(text))
    end = LONGEST_SAME // 2
    middle = element("span.none", f" … {many(left, 'character')} … ")
    return html(visible_directions(text[:end]), middle, visible_directions(text[-end:]))


def _used(turn: Turn) -> str:
    if not turn.usage.calls:
        return ""
    used = f"{turn.usage.sent:,} → {many(turn.usage.received, 'token')} · {seconds_in_words(turn.usage.seconds)}"
    cost = "" if not turn.usage.cost else f" · ${turn.usage.cost:.4f}"
    return element("span", f"{used}{cost}")


def parting_words(row: Row) -> str:
    """Where sessions part, as Markdown."""
    return f"They part at **{plain(place_words(row.place))}**: {difference_words(row)}."
