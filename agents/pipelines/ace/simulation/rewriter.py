"""The simulated rewriter: writes all notes anew after each answer, and loses detail by a stated rule (see `REWRITING_RULE`).

It finds out what an answer teaches as the reflector does, from the right answer alone. What it knows is in its prompt: the
notes, the question, the answer and the feedback.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.ace.value.tokens import count_tokens
from agents.pipelines.ace.simulation.bullets import Formula, Knowledge, Line, Open, Rule, understand, write_bullet
from agents.pipelines.ace.simulation.conclusions import concluded
from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.lessons.form import ValueForm
from agents.pipelines.ace.simulation.lessons.label import Label
from agents.pipelines.ace.simulation.lessons.shape import Shape
from agents.pipelines.ace.simulation.reflection import Case
from agents.pipelines.ace.simulation.reflector import reflect
from agents.pipelines.ace.simulation.sentences.english import key_of

MOST_PARTS = 2
"""Parts of an older line, between semicolons, that a rewrite keeps: a formula and one example."""
MOST_TOKENS = 1250
"""Tokens of a text, above which it is summed up."""
NEWEST = 6
"""Lines at the end that stay when a text is summed up."""
MOST_NAMES = 12
"""Names of older lines that a summary lists."""
REWRITING_RULE = (
    f"The simulated rewriter keeps {MOST_PARTS} parts of each older line: a formula and one example. When the text has more "
    f"than {MOST_TOKENS:,} tokens, it sums up: the {NEWEST} newest lines stay, and of the others one line with "
    f"{MOST_NAMES} of their names."
)
"""By which rule detail is lost, in words for the user."""

_SUMMARY = "Also known: "
_NAME_WORDS = 4


def rewrite(notes: str, *, question: str, given: str, feedback: str, keeps_all: bool = False) -> str:
    """Writes notes anew.

    Args:
        notes: The notes, one a line; the newest at the end.
        question: The question.
        given: The answer to it.
        feedback: The feedback on that answer.
        keeps_all: Whether the prompt says to leave nothing out; the rule of loss is not applied then.
    """
    lines = [text for line in notes.splitlines() if (text := " ".join(line.split()))]
    learned = _learned(lines, question, given, feedback)
    about = {_subject(text) for text in learned}
    kept = [line if keeps_all else _shortened(line) for line in lines if _subject(line) not in about]
    text = [*dict.fromkeys([*kept, *learned])]
    return "\n".join(text if keeps_all or count_tokens("\n".join(text)) <= MOST_TOKENS else _summed_up(text))


def _learned(notes: Sequence[str], question: str, given: str, feedback: str) -> list[str]:
    """The lines that the answer teaches: what a reflection on it, with all notes, calls the right approach."""
    lines = tuple(Line(f"note-{place}", "", 0, 0, text, place) for place, text in enumerate(notes))
    mine = answer(question, lines)
    cited = mine.bullet_ids if mine.final_answer.strip() == given.strip() else []
    reflection = reflect(Case(question, lines, given, cited, feedback))
    approach = reflection.correct_approach if reflection is not None else ""
    said = [(text, understand(text)) for line in approach.splitlines() if (text := " ".join(line.split()))]
    known = [(text, concluded(says, question, lines) if says else []) for text, says in said]
    return [line for text, found in known for line in (map(write_bullet, found) if found else [text])]


def _subject(text: str) -> tuple[str, str]:
    """What a line is about: one about the same takes its place."""
    says = understand(text)
    return ("formula" if isinstance(says, Formula | Open) else type(says).__name__, _key(says, text))


def _key(says: Knowledge | None, text: str) -> str:
    match says:
        case Formula(name) | Open(name) | Rule(name):
            return str(key_of(name))
        case Fact(questions):
            return questions[0]
        case Label(name):
            return name
        case Shape() | ValueForm() | None:
            return text


def _shortened(line: str) -> str:
    parts = line.split(";")
    return line if len(parts) <= MOST_PARTS else ";".join(parts[:MOST_PARTS])


def _summed_up(lines: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(name for line in lines[:-NEWEST] for name in _names(line)))
    more = len(names) - MOST_NAMES
    listed = ", ".join(names[:MOST_NAMES])
    return [f"{_SUMMARY}{listed}{f' and {more} more' if more > 0 else ''}.", *lines[-NEWEST:]]


def _names(line: str) -> Iterator[str]:
    """The names of a line; a summary of before has several."""
    if line.startswith(_SUMMARY):
        yield from line.removeprefix(_SUMMARY).rstrip(".").partition(" and ")[0].split(", ")
        return
    match understand(line):
        case Formula(name) | Open(name):
            yield name
        case Rule(subject):
            yield f"how {subject} are written"
        case _:
            yield " ".join(line.replace(",", " ").split()[:_NAME_WORDS])
