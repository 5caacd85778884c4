"""The simulated generator: answers from the bullets in its prompt alone.

A formula for the name asked for is applied to the question's quantities; house rules say how the answer is written.
Without a formula it does not know. A question that asks for advice on a topic gets a few general sentences and the
strategies for it among the bullets; any other free question is answered from the bullets that share its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.numbers import numbers_in
from agents.models.simulated.reading.expression import typed
from agents.pipelines.ace.simulation.advice.strategies import as_sentence, strategies_for
from agents.pipelines.ace.simulation.advice.topics import Topic, asks_for_advice, topic_of_section, topics_in
from agents.pipelines.ace.simulation.bullets import Formula, Line, Open, Rule, best_first, saying
from agents.pipelines.ace.simulation.expressions.amounts import Amount
from agents.pipelines.ace.simulation.lessons.fact import Fact, find_fact
from agents.pipelines.ace.simulation.lessons.form import ValueForm, write_by
from agents.pipelines.ace.simulation.lessons.house_rules import Form, written
from agents.pipelines.ace.simulation.lessons.label import Label, find_label
from agents.pipelines.ace.simulation.lessons.shape import Shape, answer_by
from agents.pipelines.ace.simulation.reading.kind import kind_of_question
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.reading.sums import Sum
from agents.pipelines.ace.simulation.reading.wording import read_by_wording
from agents.pipelines.ace.simulation.search.examples import PLAIN_FORM
from agents.pipelines.ace.simulation.sentences.english import content_words, key_of
from agents.pipelines.ace.simulation.sentences.phrases import Phrases, phrases_of, sentences_of
from agents.pipelines.ace.simulation.solver import answer_as_shown, rule_for, solve

_MOST_QUOTED = 3


class Answer(NamedTuple):
    """The generator's answer; one that refuses has messages that can be sent instead as examples."""

    reasoning: list[str]
    bullet_ids: list[str]
    final_answer: str
    examples: Sequence[str] = ()


def answer(question: str, lines: Sequence[Line]) -> Answer:
    """Answers a question.

    Args:
        question: The question.
        lines: The bullets of the prompt's playbook.
    """
    best = best_first(lines)
    phrases = phrases_of(answer_language(question))
    match kind_of_question(question):
        case Sum() as asked:
            return _summed(asked, phrases)
        case Reading() as reading:
            return _worked_out(reading, best) or _noted(question, best, phrases) or _not_known(reading, best)
        case Topic() as topic:
            return _noted(question, best, phrases) or _advised(topic, lines)
        case None:
            says = sentences_of("generator").say("not_read")
            known = _by_wording(question, best, phrases) or _noted(question, best, phrases)
            return known or Answer([says], [], says, _examples(phrases))
        case _:
            worked_out = _by_wording(question, best, phrases)
            return worked_out or _noted(question, best, phrases) or _from_words(question, best, phrases)


# -- questions with quantities


def _worked_out(reading: Reading, best: Sequence[Line]) -> Answer | None:
    """The result of a formula; None if no bullet has a usable one."""
    solved = solve(reading, best)
    if solved is None:
        return None
    say = sentences_of("generator").say
    steps, cited = [_given(reading), *solved.steps], [line.id for line in solved.lines]
    if found := rule_for(solved.result, solved.expression, reading, best):
        line, rule = found
        final = written(solved.result, rule.form)
        cited.append(line.id)
        steps.append(say("applies_rule", id=line.id, content=line.content, final=final))
    else:
        final, example = answer_as_shown(solved)
        if example:
            steps.append(say("applies_example", id=cited[0], example=example, final=final))
    return Answer(steps, list(dict.fromkeys(cited)), final)


def _by_wording(question: str, best: Sequence[Line], phrases: Phrases) -> Answer | None:
    """The result of a formula that was learned from questions in the same words; None if there is none."""
    reading = read_by_wording(question)
    solved = solve(reading, best) if reading else None
    if solved is None:
        return None
    formula = f"{solved.formula.name} = {typed(solved.formula.expression)}"
    steps = [phrases.say("by_formula", id=solved.lines[0].id, formula=formula), solved.steps[-1]]
    return Answer(steps, [line.id for line in solved.lines], answer_as_shown(solved)[0])


def _not_known(reading: Reading, best: Sequence[Line]) -> Answer:
    """What is asked and given, why no bullet helps, and no answer."""
    say = sentences_of("generator").say
    steps = [_given(reading)]
    solve(reading, best, unusable=steps)
    same = [(line, says) for line, says in saying(Open, best) if key_of(says.name) == key_of(reading.asked)]
    steps += [say("has_examples_only", id=line.id, name=says.name) for line, says in same]
    return Answer([*steps, say("no_bullet", asked=reading.asked)], [], phrases_of("en").say("unknown"))


def _given(reading: Reading) -> str:
    given = ", ".join(f"{one.name} = {one.amount.text}" for one in reading.quantities)
    return sentences_of("generator").say("asks", asked=reading.asked, given=given)


def _summed(asked: Sum, phrases: Phrases) -> Answer:
    """The result of arithmetic, without any bullet."""
    try:
        value = asked.value()
    except ArithmeticError as error:
        kind = "sum_by_zero" if isinstance(error, ZeroDivisionError) else "sum_too_large"
        return Answer([phrases.say("sum_without_value", sum=asked.text)], [], phrases.say(kind, reason=str(error)))
    form = Form(sign="currency", place="front") if asked.symbol else PLAIN_FORM
    final = written(Amount(value, asked.symbol), form)
    return Answer([phrases.say("sum", sum=asked.text, result=final)], [], final)


# -- free questions


def _noted(question: str, best: Sequence[Line], phrases: Phrases) -> Answer | None:
    """The answer of the fact that the question asks for, of the shape that it has, or the label that its words have."""
    facts = saying(Fact, best)
    is_known = any(fact.is_asked_by(question) for _, fact in facts)
    if not is_known and (shaped := _shaped(question, best, phrases)):
        return shaped
    if found := find_fact(question, [((line.id, fact.answer), fact) for line, fact in facts]):
        return Answer([phrases.say("noted", id=found[0])], [found[0]], found[1])
    labels = saying(Label, best)
    if found := find_label(question, [((line.id, label.name), label) for line, label in labels]):
        return Answer([phrases.say("labelled", id=found[0], label=found[1])], [found[0]], found[1])
    return None


def _shaped(question: str, best: Sequence[Line], phrases: Phrases) -> Answer | None:
    """The answer by the shape of the question, or the form of its value; None if there is none, or several that differ."""
    made = [(line.id, text) for line, shape in saying(Shape, best) if (text := answer_by(shape, question))]
    made = made or [(line.id, text) for line, form in saying(ValueForm, best) if (text := write_by(form, question))]
    if len({text for _, text in made}) != 1:
        return None
    return Answer([phrases.say("shaped", id=made[0][0])], [made[0][0]], made[0][1])


def _from_words(question: str, best: Sequence[Line], phrases: Phrases) -> Answer:
    """The texts of bullets that share words with the question; without any, that the answer or the topic is not known."""
    has_numbers = bool(numbers_in(question))  # what is to be worked out is not answered by a formula for something else
    quoted = [line for line in best if not (has_numbers and isinstance(line.says, Formula))]
    found = sorted(_related(content_words(question), quoted), key=lambda pair: -pair[0])[:_MOST_QUOTED]
    lines = [line for _, line in found]
    steps = [phrases.say("nothing_to_work_out")]
    if not lines:
        steps.append(phrases.say("no_bullet_about" if best else "no_bullets_known"))
        if asks_for_advice(question):
            names = phrases.said["list"].join(topic.name for topic in topics_in(phrases.language).values())
            return Answer(steps, [], phrases.say("other_topics", topics=names), _examples(phrases))
        return Answer(steps, [], phrases.say("unknown_numbers" if len(numbers_in(question)) > 1 else "unknown"))
    steps.append(phrases.say("shares_words", count=len(lines)))
    said = [line.content.split(";")[0].rstrip(". ") for line in lines]
    return Answer(steps, [line.id for line in lines], ". ".join(said) + ".")


def _advised(topic: Topic, lines: Sequence[Line]) -> Answer:
    """A few general sentences, and the strategies among the bullets."""
    phrases, used = topic.phrases, strategies_for(topic, lines)
    ids = [line.id for line in used]
    steps = [phrases.say("only_general", topic=topic.name, count=len(phrases.base))]
    if ids:
        steps.append(phrases.say("uses", ids=phrases.said["list"].join(f"[{id_}]" for id_ in ids)))
    else:
        steps.append(phrases.say("no_bullets" if lines else "no_playbook"))
    general = [phrases.opening.format_map({"topic": topic.name}), *phrases.base]
    return Answer(steps, ids, phrases.separator.join([*general, *(as_sentence(line.content, topic) for line in used)]))


def _examples(phrases: Phrases) -> list[str]:
    return [topic.example for topic in topics_in(phrases.language).values()]


def _related(asked: frozenset[str], best: Sequence[Line]) -> Iterator[tuple[int, Line]]:
    for line in best:
        shared = len(asked & content_words(line.content))
        enough = min(2, len(asked))
        is_quoted = not isinstance(line.says, Rule | Fact | Label | Shape | ValueForm | Open)
        if is_quoted and topic_of_section(line.section) is None and shared >= enough > 0:
            yield shared, line
