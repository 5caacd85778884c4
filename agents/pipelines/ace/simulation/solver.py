"""How the generator answers: from the bullets that it was given, and from nothing else.

A formula for the name asked for is bound to the question's quantities and worked out; house rules say how the answer is
written. Without a formula it guesses and says so. A question that asks for advice gets a few general sentences and the
strategies among the bullets; any other free question is answered from the bullets that share its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from agents.pipelines.ace.simulation.advice.answer import advise
from agents.pipelines.ace.simulation.bullets import Formula, Knowledge, Line, Note, Open, understand
from agents.pipelines.ace.simulation.expressions.expression import Expression, write
from agents.pipelines.ace.simulation.expressions.operands import Value, bind, is_ratio, put_in, value_of
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL
from agents.pipelines.ace.simulation.house_rules import Form, Rule, kind_of, written
from agents.pipelines.ace.simulation.reading.english import content_words, key_of
from agents.pipelines.ace.simulation.reading.question import Reading, read
from agents.pipelines.ace.simulation.reading.sums import Sum, has_operators, sum_in
from agents.pipelines.ace.simulation.reading.topic import Topic, topic_of
from agents.pipelines.ace.simulation.search.examples import PLAIN_FORM, form_shown
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of
from agents.pipelines.language.characters import plain
from agents.pipelines.language.detect import Language, language_of

_MOST_FORMULAS_IN_A_ROW = 3
_MOST_QUOTED = 3
_SAME_QUESTION = 0.8


class Answer(NamedTuple):
    """What the generator says."""

    reasoning: list[str]
    bullet_ids: list[str]
    final_answer: str


class Known(NamedTuple):
    """A bullet with what it says; None for prose."""

    line: Line
    says: Knowledge | None


class Solved(NamedTuple):
    """What a name comes to by a bullet's formula.

    Attributes:
        value: It.
        expression: The formula's.
        lines: The bullets that were used, the one for the name itself first.
        steps: How it was worked out.
    """

    value: Value
    expression: Expression
    lines: list[Line]
    steps: list[str]


def know(lines: Sequence[Line]) -> list[Known]:
    """Bullets with what they say, the one to be trusted most first."""
    return [Known(line, understand(line.content)) for line in sorted(lines, key=lambda line: line.worth, reverse=True)]


def answer(question: str, lines: Sequence[Line]) -> Answer:
    """Answers a question.

    Args:
        question: As it was asked.
        lines: The bullets of the playbook that was given.
    """
    known = know(lines)
    match kind_of_question(question):
        case Sum() as asked:
            return _summed(asked)
        case Reading() as reading:
            return _worked_out(question, reading, known)
        case Topic() as topic:
            return _noted(question, known) or _about_formulas(question, known) or _advised(topic, lines)
        case None:
            says = phrases_of("en").said["not_read"]
            return _noted(question, known) or Answer([says], [], says)
        case language:
            return _noted(question, known) or _from_words(question, known, phrases_of(language).said["unknown"])


def kind_of_question(question: str) -> Sum | Reading | Topic | Language | None:
    """What a question is, as far as it is understood.

    Returns:
        A sum; quantities with a name to be worked out from them; a topic to give advice on; else only the language that it
        is in, None for one that is not read.
    """
    question = plain(question)
    if (asked := sum_in(question)) is not None:
        return asked
    language = language_of(question)
    if language == "en" and not has_operators(question):
        reading = read(question)
        if reading.can_be_worked_out:
            return reading
    return topic_of(question) or language


def quantities_of(reading: Reading) -> dict[str, Value]:
    """What a question gives, by name."""
    return {one.name: Value(one.amount.value, one.amount.symbol) for one in reading.quantities}


def solve(name: str, reading: Reading, known: Sequence[Known], *, unusable: list[str] | None = None) -> Solved | None:
    """Works a name out with the best formula that can be used.

    Args:
        name: What is looked for.
        reading: The question.
        known: The bullets, the best first.
        unusable: Where to write down why formulas of that name cannot be used.
    """
    return _solve(name, reading, known, unusable if unusable is not None else [], (key_of(name),))


def rule_for(value: Value, expression: Expression | None, reading: Reading, known: Sequence[Known]) -> Known | None:
    """The house rule that an answer is written by: one for the very name goes before one for its kind."""
    kind = kind_of(value.symbol, is_ratio=expression is not None and is_ratio(expression), counts=reading.counts)
    fitting = [one for one in known if isinstance(one.says, Rule) and one.says.fits(kind, reading.asked)]
    own = [one for one in fitting if isinstance(one.says, Rule) and one.says.subject != kind]
    return next(iter(own or fitting), None)


def _worked_out(question: str, reading: Reading, known: Sequence[Known]) -> Answer:
    given = ", ".join(f"{one.name} = {one.amount.text}" for one in reading.quantities)
    steps = [f"The question asks for the {reading.asked}. It gives: {given}."]
    unusable: list[str] = []
    solved = solve(reading.asked, reading, known, unusable=unusable)
    if solved is None:
        unusable += [
            f"[{line.id}] has examples of the {says.name}, and not how it is worked out."
            for line, says in known
            if isinstance(says, Open) and key_of(says.name) == key_of(reading.asked)
        ]
        return _noted(question, known) or _guessed(reading, [*steps, *unusable])
    cited = [line.id for line in solved.lines]
    steps += solved.steps
    rule = rule_for(solved.value, solved.expression, reading, known)
    if rule is not None and isinstance(rule.says, Rule):
        final = written(solved.value.number, solved.value.symbol, rule.says.form)
        cited.append(rule.line.id)
        steps.append(f"[{rule.line.id}] says: {rule.line.content} So the answer is written {final}")
    else:
        form, like = form_of_answer(solved)
        final = written(solved.value.number, solved.value.symbol, form)
        if like:
            steps.append(f"The example in [{solved.lines[0].id}] is written {like}, so the answer is written {final}")
    return Answer(steps, list(dict.fromkeys(cited)), final)


def form_of_answer(solved: Solved) -> tuple[Form, str]:
    """How a result is written where no house rule says it: like the formula's example, which is given too; else plainly."""
    says = understand(solved.lines[0].content)
    shown_form = form_shown(says) if isinstance(says, Formula) else None
    return shown_form or (PLAIN_FORM, "")


def _summed(asked: Sum) -> Answer:
    """Arithmetic is worked out as the question says it, without any bullet."""
    try:
        value = asked.value()
    except ArithmeticError as error:
        return Answer([f"The question says what is to be worked out: {asked.text}."], [], str(error))
    form = Form(sign="currency", place="front") if asked.symbol else PLAIN_FORM
    final = written(value, asked.symbol, form)
    return Answer([f"The question says what is to be worked out: {asked.text} = {final}. It takes no bullet."], [], final)


def _guessed(reading: Reading, steps: list[str]) -> Answer:
    """An answer without a bullet: everything added up, and said to be a guess."""
    steps = [*steps, f"No bullet that can be used says how the {reading.asked} is worked out."]
    dates = [one.amount for one in reading.quantities if one.amount.symbol == DATE_SYMBOL]
    if dates:
        steps.append("So I can only guess, and repeat the date.")
        return Answer(steps, [], written(dates[0].value, DATE_SYMBOL, PLAIN_FORM))
    total = sum((one.amount.value for one in reading.quantities), Decimal(0))
    steps.append("So I can only guess, and add up what is given.")
    return Answer(steps, [], written(total, "", PLAIN_FORM))


def _solve(
    name: str, reading: Reading, known: Sequence[Known], unusable: list[str], trail: tuple[str, ...]
) -> Solved | None:
    given = quantities_of(reading)
    for line, formula in _formulas_for(name, known):
        inner: dict[str, Solved] = {}

        def find(other: str, inner: dict[str, Solved] = inner) -> Value | None:
            key = key_of(other)
            if key in trail or len(trail) >= _MOST_FORMULAS_IN_A_ROW:
                return None
            if found := _solve(other, reading, known, [], (*trail, key)):
                inner[other] = found
            return found.value if found else None

        bound = bind(formula.expression, given, find)
        if bound is None:
            unusable.append(f"[{line.id}] cannot be used: the question does not give all that {formula.name} needs there.")
            continue
        try:
            value = value_of(bound, reading.symbol if len(trail) == 1 else "")
        except ArithmeticError as error:
            unusable.append(f"[{line.id}] cannot be used: {error}")
            continue
        steps = [step for one in inner.values() for step in one.steps]
        steps.append(f"[{line.id}] says: {formula.name} = {write(formula.expression)}.")
        steps.append(f"{put_in(bound)} = {shown(value)}.")
        return Solved(value, bound.expression, [line, *(used for one in inner.values() for used in one.lines)], steps)
    return None


def _formulas_for(name: str, known: Sequence[Known]) -> Iterator[tuple[Line, Formula]]:
    for line, says in known:
        if isinstance(says, Formula) and key_of(says.name) == key_of(name):
            yield line, says


def shown(value: Value) -> str:
    """A value in a step of reasoning."""
    if value.symbol == DATE_SYMBOL:
        return written(value.number, DATE_SYMBOL, PLAIN_FORM)
    if value.symbol == "%":
        return f"{written(value.number * 100, '', PLAIN_FORM)} %"
    return f"{written(value.number, '', PLAIN_FORM)} {value.symbol}".strip()


# -- free questions


def _noted(question: str, known: Sequence[Known]) -> Answer | None:
    """The answer that was noted when the same was asked before."""
    for line, says in known:
        if isinstance(says, Note) and same_question(question, says.question):
            return Answer([f"[{line.id}] holds the answer to this question."], [line.id], says.answer)
    return None


def _advised(topic: Topic, lines: Sequence[Line]) -> Answer:
    return Answer(*advise(topic, lines))


def _about_formulas(question: str, known: Sequence[Known]) -> Answer | None:
    """The formula that a question is about, where it asks how something is worked out."""
    formulas = [one for one in known if isinstance(one.says, Formula)]
    found = _from_words(question, formulas, "")
    return found if found.bullet_ids else None


def _from_words(question: str, known: Sequence[Known], unknown: str) -> Answer:
    """What bullets say that share words with a question; `unknown` where none does."""
    asked = content_words(question)
    found = sorted(_related(asked, known), key=lambda pair: -pair[0])[:_MOST_QUOTED]
    if not found:
        about = "No bullet is about it" if known else "No bullets were given"
        return Answer(
            ["There is nothing in the question that I can work out.", f"{about}, and I know only what bullets say."],
            [],
            unknown,
        )
    lines = [line for _, line in found]
    steps = ["There is nothing in the question that I can work out.", f"{len(lines)} of the bullets share words with it."]
    said = [line.content.split(";")[0].rstrip(". ") for line in lines]
    return Answer(steps, [line.id for line in lines], ". ".join(said) + ".")


def same_question(one: str, other: str) -> bool:
    """Whether two questions ask for the same: they share nearly all words, and all numbers."""
    words, others = content_words(one), content_words(other)
    numbers = {word for word in words if word[0].isdigit()} ^ {word for word in others if word[0].isdigit()}
    return not numbers and bool(words) and len(words & others) >= _SAME_QUESTION * len(words | others)


def _related(asked: frozenset[str], known: Sequence[Known]) -> Iterator[tuple[int, Line]]:
    for line, says in known:
        shared = len(asked & content_words(line.content))
        enough = min(2, len(asked))
        if not isinstance(says, Rule | Note | Open) and shared >= enough > 0:
            yield shared, line
