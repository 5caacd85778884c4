"""The simulated curator: turns a reflection into as few operations as possible, each with its reason.

It names only bullets of its prompt, and leaves new ids to the playbook.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from agents.models.simulated.language.detect import answer_language
from agents.pipelines.ace.simulation.advice.strategies import new_strategies
from agents.pipelines.ace.simulation.advice.topics import Topic, topic_of
from agents.pipelines.ace.simulation.bullets import (
    Formula,
    Knowledge,
    Line,
    Open,
    Rule,
    saying,
    understand,
    write_bullet,
)
from agents.pipelines.ace.simulation.conclusions import concluded, formulas_called, keyed
from agents.pipelines.ace.simulation.lessons.fact import Fact, find_fact
from agents.pipelines.ace.simulation.lessons.form import (
    ValueForm,
    contradicted,
    example_row,
    find_form,
    is_same_but_for_order,
    write_by,
    write_form,
)
from agents.pipelines.ace.simulation.lessons.label import Label, label_from, most_telling_first, with_example
from agents.pipelines.ace.simulation.lessons.shape import Shape, answer_by
from agents.pipelines.ace.simulation.lessons.shape_search import find_shape
from agents.pipelines.ace.simulation.reflection import NO_ERROR
from agents.pipelines.ace.simulation.sentences.english import key_of
from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of, sentences_of

FORMULAS, HOUSE_RULES, NOTES = "FORMULAS", "HOUSE RULES", "NOTES"

_BUDGET = re.compile(r"Token budget: (\d+) \(the playbook has (\d+) tokens\)")
_HELD = 2
"""How often more a shape must have been helpful than harmful, to be kept where one answer contradicts it."""
_CHARACTERS_PER_TOKEN = 4
_TOKENS_OF_ID = 12
_SAY = sentences_of("curator").say


class Curation(NamedTuple):
    """The curator's answer."""

    reasoning: str
    operations: list[dict[str, Any]]


class _Step(NamedTuple):
    """The operations for one piece of knowledge, if any, and the reason."""

    reason: str
    operations: tuple[dict[str, Any], ...] = ()


def curate(
    approach: str, *, error: str, harmful: Collection[str], lines: Sequence[Line], limits: str, question: str = ""
) -> Curation:
    """Turns a reflection into operations.

    Args:
        approach: The reflection's correct approach: one bullet a line.
        error: The reflection's error.
        harmful: The ids that it tags as harmful.
        lines: The bullets of the playbook.
        limits: The token budget, as the prompt says it.
        question: The question; if it asks for advice, prose may be a strategy.
    """
    phrases = phrases_of(answer_language(question))
    found = [says for text in approach.splitlines() if (says := understand(text.strip()))]
    if found:
        known = [one for says in found for one in concluded(says, question, lines, harmful)]
        steps = [_step(says, lines, harmful, phrases) for says in known] + _on_labels_that_misled(lines, harmful, phrases)
        steps += _on_formulas_that_misled(lines, harmful, steps)
    elif (topic := topic_of(question)) is not None:
        steps = _on_strategies(approach, topic, lines)
    else:
        nothing_wrong = error.strip().rstrip(".").casefold() in ("", NO_ERROR.rstrip(".").casefold())
        steps = [_Step(phrases.say("nothing_wrong" if nothing_wrong else "nothing_found"))]
    steps = _within(_room(limits), steps, phrases)
    return Curation(" ".join(step.reason for step in steps), [one for step in steps for one in step.operations])


def _within(room: int | None, steps: Sequence[_Step], phrases: Phrases) -> list[_Step]:
    """The steps, without additions beyond the token budget."""
    kept: list[_Step] = []
    for step in steps:
        fitting: list[dict[str, Any]] = []
        reason = step.reason
        for operation in step.operations:
            needed = _tokens(operation["content"]) if operation["type"] == "ADD" else 0
            if room is not None and needed > room:
                reason = phrases.say("full", content=operation["content"], needed=needed, left=max(room, 0))
                continue
            room = None if room is None else room - needed
            fitting.append(operation)
        kept.append(_Step(reason, tuple(fitting)))
    return kept


def _on_strategies(approach: str, topic: Topic, lines: Sequence[Line]) -> list[_Step]:
    phrases = topic.phrases
    if not approach.strip():
        return [_Step(phrases.say("nothing_named"))]
    if not (strategies := new_strategies(approach, lines)):
        return [_Step(phrases.say("has_already"))]
    reason = phrases.say("adds", section=topic.section, count=len(strategies))
    return [_Step(reason if not index else "", (_add(topic.section, text),)) for index, text in enumerate(strategies)]


def _step(says: Knowledge, lines: Sequence[Line], harmful: Collection[str], phrases: Phrases) -> _Step:
    match says:
        case Formula(name):
            return _on_formula(says, formulas_called(name, lines), _open(says, lines), harmful)
        case Open(name):
            misled = [line for line, _ in formulas_called(name, lines) if line.id in harmful]
            return _on_open(name, write_bullet(says), _open(says, lines), misled)
        case Rule(subject):
            about = [(line, one) for line, one in saying(Rule, lines) if key_of(one.subject) == key_of(subject)]
            return _on_rule(says, about, phrases)
        case Fact():
            step = _on_shape(says, lines, phrases) or _on_form(says, lines, phrases)
            return step or _on_fact(says, saying(Fact, lines), saying(Label, lines), phrases)
        case Label() | Shape() | ValueForm():
            return _Step(phrases.say("nothing_found"))  # they are made of facts


def _open(says: Formula | Open, lines: Sequence[Line]) -> list[Line]:
    """The bullets with examples only that are about the same name and the same quantities."""
    same = [(line, one) for line, one in saying(Open, lines) if key_of(one.name) == key_of(says.name)]
    return [line for line, one in same if _quantities(one) == _quantities(says)]


def _quantities(says: Formula | Open) -> set[str]:
    return {key_of(name) for example in says.examples[-1:] for name, _ in example.values}


def _on_formula(
    formula: Formula, same: Sequence[tuple[Line, Formula]], opened: Sequence[Line], harmful: Collection[str]
) -> _Step:
    name, text = formula.name, write_bullet(formula)
    misled = [line for line, _ in same if line.id in harmful]
    alike = [(line, says) for line, says in same if keyed(says) == keyed(formula)]
    if alike:
        there = [line for line, _ in alike]
        return _with_alike(formula, *alike[0], [line for line in misled if line not in there])
    if opened and not misled:
        return _Step(_SAY("known_now", id=opened[0].id, name=name), (_update(opened[0], text),))
    if misled:
        worst = _worst(misled)
        return _Step(_SAY("is_wrong", id=worst.id, name=name), (_update(worst, text),))
    new = _SAY("other_quantities", name=name, id=same[0][0].id) if same else _SAY("new_formula", name=name)
    return _Step(new, (_add(FORMULAS, text),))


def _with_alike(formula: Formula, there: Line, says: Formula, misled: Sequence[Line]) -> _Step:
    """The playbook has the formula; misleading ones are removed."""
    if misled:
        reason = _SAY("removed", id=there.id)
        removed = tuple({"type": "REMOVE", "bullet_id": line.id, "reason": reason} for line in misled)
        return _Step(_SAY("misleading_goes", id=there.id, name=formula.name), removed)
    if set(formula.examples) - set(says.examples):
        return _Step(_SAY("remembers", id=there.id), (_update(there, write_bullet(formula)),))
    return _Step(_SAY("has_already", id=there.id))


def _on_open(name: str, text: str, there: Sequence[Line], misled: Sequence[Line]) -> _Step:
    """The examples of a name are kept, in the place of a formula that contradicts the newest."""
    if misled:
        worst = _worst(misled)
        return _Step(_SAY("contradicted", id=worst.id, name=name), (_update(worst, text),))
    if not there:
        return _Step(_SAY("open", name=name), (_add(FORMULAS, text),))
    line = there[0]
    if line.content == text:
        return _Step(_SAY("has_example", id=line.id))
    return _Step(_SAY("still_open", name=name, id=line.id), (_update(line, text),))


def _on_rule(rule: Rule, about: Sequence[tuple[Line, Rule]], phrases: Phrases) -> _Step:
    """A rule; one about the same subject is changed."""
    if not about:
        return _Step(_SAY("new_rule", subject=rule.subject), (_add(HOUSE_RULES, write_bullet(rule)),))
    if any(one == rule for _, one in about):
        return _Step(phrases.say("note_is_there", id=about[0][0].id))
    worst = _worst([line for line, _ in about])
    return _Step(phrases.say("note_changed", id=worst.id), (_update(worst, write_bullet(rule)),))


def _on_shape(fact: Fact, lines: Sequence[Line], phrases: Phrases) -> _Step | None:
    """A shape that a fact is an example of: one that is widened, or a new one made of this fact and another; None for none.

    A fact that contradicts a shape is an exception if the shape has held twice; otherwise the shape goes.
    """
    row, facts = (fact.questions[0], fact.answer), saying(Fact, lines)
    if any(one.is_asked_by(row[0]) for _, one in facts):
        return None
    known = [(question, one.answer) for _, one in facts for question in one.questions]
    for line, shape in saying(Shape, lines):
        if wider := find_shape([*shape.rows, row], known):
            return _Step(phrases.say("shape_wider", id=line.id), (_update(line, write_bullet(wider)),))
        if answer_by(shape, row[0]) is not None and line.helpful - line.harmful < _HELD:
            operations = ({"type": "REMOVE", "bullet_id": line.id}, _add(NOTES, write_bullet(fact)))
            return _Step(phrases.say("shape_misled", id=line.id), operations)
    for line, one in facts:
        if len(one.questions) == 1 and (shape := find_shape([(one.questions[0], one.answer), row], known)):
            return _Step(phrases.say("shape_new", id=line.id), (_update(line, write_bullet(shape)),))
    return None


def _on_form(fact: Fact, lines: Sequence[Line], phrases: Phrases) -> _Step | None:
    """The form of an answer that is a value of its question: one that is contradicted, made plain, or new; None for none."""
    row, note = (fact.questions[0], fact.answer), _add(NOTES, write_bullet(fact))
    facts, forms = [one for _, one in saying(Fact, lines)], saying(ValueForm, lines)
    if any(one.is_asked_by(row[0]) for one in facts):
        return None
    for line, form in forms:
        if write_by(form, row[0]) not in (None, row[1]) and line.helpful - line.harmful < _HELD:
            return _Step(phrases.say("shape_misled", id=line.id), ({"type": "REMOVE", "bullet_id": line.id}, note))
    known = [(question, one.answer) for one in facts for question in one.questions]
    known += [example for _, shape in saying(Shape, lines) for example in shape.rows]
    known += [example_row(form) for _, form in forms]
    for other in known:
        form = find_form([other, row])
        if form is None or contradicted(form, [*known, row]):
            continue
        same = [(line, one) for line, one in forms if is_same_but_for_order(form, one)]
        if any(one == form for _, one in same):
            continue
        operation = _update(same[0][0], write_form(form, row[0])) if same else _add(HOUSE_RULES, write_form(form, row[0]))
        is_told = write_by(form, row[0]) == row[1]
        return _Step(phrases.say("form_new"), (operation,) if is_told else (operation, note))
    return None


def _on_fact(
    fact: Fact, known: Sequence[tuple[Line, Fact]], labels: Sequence[tuple[Line, Label]], phrases: Phrases
) -> _Step:
    """A fact: another answer to its question changes it.

    Another question with its answer is an example of a label, may make a label of a fact, or be a wording of it.
    """
    question = fact.questions[0]
    about = [(line, one) for line, one in known if one.is_asked_by(question)]
    alike = find_fact(question, [((line, one), one) for line, one in known])
    for line, one in [*about, *([alike] if alike else [])]:
        if one.has_answer(fact.answer):
            return _on_wording(line, one, question, phrases)
    if about:
        worst = _worst([line for line, _ in about])
        wordings = next(one.questions for line, one in about if line is worst)
        return _Step(phrases.say("note_changed", id=worst.id), (_update(worst, write_bullet(Fact(wordings, fact.answer))),))
    for line, label in labels:
        if label.has_name(fact.answer):
            return _Step(phrases.say("label_grows", id=line.id), (_label(line, with_example(label, question), labels),))
    for line, one in known:
        if not one.has_answer(fact.answer):
            continue
        is_wording = one.may_be_asked_by(question)
        if label := label_from(one.answer, (*one.questions, question), is_wording=is_wording):
            return _Step(phrases.say("label_new", id=line.id), (_label(line, label, labels),))
        if is_wording:
            return _on_wording(line, one, question, phrases)
    return _Step(phrases.say("new_note"), (_add(NOTES, write_bullet(fact)),))


def _on_wording(line: Line, fact: Fact, question: str, phrases: Phrases) -> _Step:
    """A fact whose answer was right for a question: it is one more wording, unless it is known or there are enough."""
    if (more := fact.with_wording(question)) == fact:
        return _Step(phrases.say("note_is_there", id=line.id))
    return _Step(phrases.say("note_wording", id=line.id), (_update(line, write_bullet(more)),))


def _on_labels_that_misled(lines: Sequence[Line], harmful: Collection[str], phrases: Phrases) -> list[_Step]:
    """A label that was given to a message about something else counts that."""
    labels = [(line, label._replace(given=label.given + 1)) for line, label in saying(Label, lines) if line.id in harmful]
    return [_Step(phrases.say("label_misled", id=line.id), (_update(line, write_bullet(label)),)) for line, label in labels]


def _on_formulas_that_misled(lines: Sequence[Line], harmful: Collection[str], steps: Sequence[_Step]) -> list[_Step]:
    """A formula that is contradicted goes, if nothing takes its place."""
    changed = {one.get("bullet_id") for step in steps for one in step.operations}
    worse = [
        (line, _SAY("contradicted_goes", id=line.id))
        for line, _ in saying(Formula, lines)
        if line.id in harmful and line.id not in changed
    ]
    return [_Step(why, ({"type": "REMOVE", "bullet_id": line.id, "reason": why},)) for line, why in worse]


def _label(line: Line, label: Label, labels: Sequence[tuple[Line, Label]]) -> dict[str, Any]:
    """The change of a bullet to a label, with the words that separate it from the other labels."""
    return _update(line, write_bullet(most_telling_first(label, (one for other, one in labels if other is not line))))


def _worst(lines: Sequence[Line]) -> Line:
    return min(lines, key=lambda line: line.worth)


def _add(section: str, content: str) -> dict[str, Any]:
    return {"type": "ADD", "section": section, "content": content}


def _update(line: Line, content: str) -> dict[str, Any]:
    return {"type": "UPDATE", "bullet_id": line.id, "content": content}


def _room(limits: str) -> int | None:
    """Tokens that are left, None where there is no budget."""
    found = _BUDGET.search(limits)
    return int(found[1]) - int(found[2]) if found else None


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN + _TOKENS_OF_ID
