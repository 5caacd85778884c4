"""How the curator writes down what a reflection found: as few operations as it takes, each with its reason.

It names only bullets that it is shown, and leaves ids to the playbook.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from agents.pipelines.ace.simulation.advice.curation import new_strategies, section_for
from agents.pipelines.ace.simulation.bullets import Formula, Knowledge, Line, Note, Open, understand, write_bullet
from agents.pipelines.ace.simulation.expressions.expression import (
    Expression,
    Name,
    Negative,
    Number,
    Operation,
    Percent,
    write,
)
from agents.pipelines.ace.simulation.house_rules import Rule
from agents.pipelines.ace.simulation.reading.english import key_of
from agents.pipelines.ace.simulation.reading.topic import Topic, topic_of
from agents.pipelines.ace.simulation.reflection import NO_ERROR
from agents.pipelines.ace.simulation.solver import same_question

FORMULAS, HOUSE_RULES, NOTES = "FORMULAS", "HOUSE RULES", "NOTES"

_BUDGET = re.compile(r"Token budget: (\d+) \(the playbook has (\d+) tokens\)")
_CHARACTERS_PER_TOKEN = 4
_TOKENS_OF_ID = 12


class Curation(NamedTuple):
    """What the curator says."""

    reasoning: str
    operations: list[dict[str, Any]]


class _Step(NamedTuple):
    """What is done about one piece of knowledge, if anything, and why."""

    reason: str
    operations: tuple[dict[str, Any], ...] = ()


class _Bullet(NamedTuple):
    """A bullet with what it says."""

    line: Line
    says: Knowledge


def curate(
    approach: str, *, error: str, harmful: Collection[str], lines: Sequence[Line], limits: str, question: str = ""
) -> Curation:
    """Turns a reflection into operations.

    Args:
        approach: What the reflection says should have been done: one bullet a line.
        error: What it says was wrong.
        harmful: The ids that it tags as harmful.
        lines: The bullets of the playbook.
        limits: The token budget, as the prompt says it.
        question: As it was asked; where it asks for advice, prose may be a strategy.
    """
    bullets = [_Bullet(line, says) for line in lines if (says := understand(line.content))]
    found = [says for text in approach.splitlines() if (says := understand(text.strip()))]
    if found:
        steps = [_step(says, bullets, harmful) for says in found]
    elif (topic := topic_of(question)) is not None:
        steps = _on_strategies(approach, topic, lines)
    else:
        steps = [_Step(_why_nothing(error))]
    steps = _within(_room(limits), steps)
    return Curation(" ".join(step.reason for step in steps), [one for step in steps for one in step.operations])


def _within(room: int | None, steps: Sequence[_Step]) -> list[_Step]:
    """The steps, without what there is no room to add."""
    kept: list[_Step] = []
    for step in steps:
        fitting: list[dict[str, Any]] = []
        reason = step.reason
        for operation in step.operations:
            needed = _tokens(operation["content"]) if operation["type"] == "ADD" else 0
            if room is not None and needed > room:
                left = max(room, 0)
                reason = f"The playbook is full: “{operation['content']}” needs {needed} tokens, and {left} are left."
                continue
            room = None if room is None else room - needed
            fitting.append(operation)
        kept.append(_Step(reason, tuple(fitting)))
    return kept


def _on_strategies(approach: str, topic: Topic, lines: Sequence[Line]) -> list[_Step]:
    phrases = topic.phrases
    if not approach.strip():
        return [_Step(phrases.say("nothing_named"))]
    strategies, section = new_strategies(approach, lines), section_for(topic, lines)
    if not strategies:
        return [_Step(phrases.say("has_already"))]
    reason = phrases.say("adds", section=section, count=len(strategies))
    return [_Step(reason if not index else "", (_add(section, text),)) for index, text in enumerate(strategies)]


def _step(says: Knowledge, bullets: Sequence[_Bullet], harmful: Collection[str]) -> _Step:
    match says:
        case Formula():
            same = [one for one in bullets if isinstance(one.says, Formula) and key_of(one.says.name) == key_of(says.name)]
            return _on_formula(says, same, _open(says.name, bullets), harmful)
        case Open(name):
            return _on_open(says, _open(name, bullets))
        case Rule(subject):
            there = [one for one in bullets if isinstance(one.says, Rule) and key_of(one.says.subject) == key_of(subject)]
            return _on_text(says, there, HOUSE_RULES, f"the way to write {subject}")
        case Note(question):
            there = [one for one in bullets if isinstance(one.says, Note) and same_question(one.says.question, question)]
            return _on_text(says, there, NOTES, "this question")


def _open(name: str, bullets: Sequence[_Bullet]) -> list[_Bullet]:
    return [one for one in bullets if isinstance(one.says, Open) and key_of(one.says.name) == key_of(name)]


def _on_formula(formula: Formula, same: Sequence[_Bullet], opened: Sequence[_Bullet], harmful: Collection[str]) -> _Step:
    text = write_bullet(formula)
    misled = [one for one in same if one.line.id in harmful]
    alike = [one for one in same if isinstance(one.says, Formula) and _is_same(one.says.expression, formula.expression)]
    if not formula.is_verified:
        if same:
            return _Step(f"[{same[0].line.id}] says something about {formula.name}, and a guess is no reason to change it.")
        return _Step(
            f"Nobody checked this guess; I write it down as {formula.name}, marked as unverified.", (_add(FORMULAS, text),)
        )
    if alike:
        return _with_alike(formula, alike[0], [one for one in misled if one not in alike])
    if opened and not misled:
        there = opened[0].line
        told = f"[{there.id}] had examples of the {formula.name} only; now it is known how it is worked out."
        return _Step(told, ({"type": "UPDATE", "bullet_id": there.id, "content": text},))
    doubtful = misled or [one for one in same if isinstance(one.says, Formula) and not one.says.is_verified]
    if doubtful:
        worst = min(doubtful, key=lambda one: one.line.worth).line
        return _Step(
            f"[{worst.id}] is wrong about {formula.name}: it gets the formula that leads to the right answer.",
            ({"type": "UPDATE", "bullet_id": worst.id, "content": text},),
        )
    other = f" [{same[0].line.id}] is about other quantities, so it stays." if same else ""
    return _Step(f"No bullet says how {formula.name} is worked out from this.{other}", (_add(FORMULAS, text),))


def _with_alike(formula: Formula, alike: _Bullet, misled: Sequence[_Bullet]) -> _Step:
    """The formula is there already; what misled instead of it goes."""
    there = alike.line
    if misled:
        removed = tuple(
            {"type": "REMOVE", "bullet_id": one.line.id, "reason": f"It misled; [{there.id}] says how it is right."}
            for one in misled
        )
        return _Step(f"[{there.id}] has the right formula for {formula.name}; what misled goes.", removed)
    if isinstance(alike.says, Formula) and not alike.says.is_verified:
        update = {"type": "UPDATE", "bullet_id": there.id, "content": write_bullet(formula)}
        return _Step(f"[{there.id}] was a guess, and is confirmed now.", (update,))
    known = alike.says.examples if isinstance(alike.says, Formula) else ()
    if set(formula.examples) - set(known):
        update = {"type": "UPDATE", "bullet_id": there.id, "content": write_bullet(formula)}
        return _Step(f"[{there.id}] says so already, and now remembers how this answer is written.", (update,))
    return _Step(f"[{there.id}] says so already, so there is nothing to add.")


def _on_open(question: Open, there: Sequence[_Bullet]) -> _Step:
    text = write_bullet(question)
    if not there:
        return _Step(f"How the {question.name} is worked out is open; the example is kept.", (_add(FORMULAS, text),))
    line = there[0].line
    if line.content == text:
        return _Step(f"[{line.id}] has this example already, so there is nothing to add.")
    told = f"How the {question.name} is worked out is still open; [{line.id}] keeps this example too."
    return _Step(told, ({"type": "UPDATE", "bullet_id": line.id, "content": text},))


def _on_text(says: Rule | Note, there: Sequence[_Bullet], section: str, about: str) -> _Step:
    text = write_bullet(says)
    if not there:
        return _Step(f"No bullet is about {about} yet.", (_add(section, text),))
    if any(one.says == says for one in there):
        return _Step(f"[{there[0].line.id}] says so already, so there is nothing to add.")
    worst = min(there, key=lambda one: one.line.worth).line
    return _Step(
        f"[{worst.id}] did not lead to what was right, so it is changed.",
        ({"type": "UPDATE", "bullet_id": worst.id, "content": text},),
    )


def _why_nothing(error: str) -> str:
    if error.strip().rstrip(".").casefold() in ("", NO_ERROR.rstrip(".").casefold()):
        return "The reflection found nothing wrong and names nothing new: there is nothing to add."
    return "The reflection names nothing that would lead to the right answer, so there is nothing to write down."


def _add(section: str, content: str) -> dict[str, Any]:
    return {"type": "ADD", "section": section, "content": content}


def _is_same(one: Expression, other: Expression) -> bool:
    return write(_with_keys(one)) == write(_with_keys(other))


def _with_keys(expression: Expression) -> Expression:
    """An expression with its names as they are compared."""
    match expression:
        case Name(words):
            return Name(key_of(words))
        case Number():
            return expression
        case Percent(of):
            return Percent(_with_keys(of))
        case Negative(of):
            return Negative(_with_keys(of))
        case Operation(sign, left, right):
            return Operation(sign, _with_keys(left), _with_keys(right))


def _room(limits: str) -> int | None:
    """Tokens that are left, None where there is no budget."""
    found = _BUDGET.search(limits)
    return int(found[1]) - int(found[2]) if found else None


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN + _TOKENS_OF_ID
