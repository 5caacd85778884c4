"""What the curator concludes from a reflection and the playbook, of which the reflector has seen the cited bullets only.

A second example shows the formula, a second answer in one form shows the house rule.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agents.models.simulated.reading.expression import Expression, Name, Number, parts_of, with_names
from agents.pipelines.ace.simulation.bullets import Example, Formula, Knowledge, Line, Open, Rule, saying
from agents.pipelines.ace.simulation.expressions.amounts import amount_of
from agents.pipelines.ace.simulation.expressions.operands import bind, value_if_any
from agents.pipelines.ace.simulation.house_rule_search import rule_to_learn
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.reading.kind import kind_of_question
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.reading.wording import read_by_wording
from agents.pipelines.ace.simulation.search.examples import example_of, is_same_question
from agents.pipelines.ace.simulation.search.formula_search import find_formula
from agents.pipelines.ace.simulation.sentences.english import key_of
from agents.pipelines.ace.simulation.solver import unit_shown


def concluded(says: Knowledge, question: str, lines: Sequence[Line], harmful: Collection[str] = ()) -> list[Knowledge]:
    """What is to be written down for a piece of knowledge in a reflection.

    Args:
        says: The knowledge; its newest example is the question.
        question: The question.
        lines: The bullets of the playbook.
        harmful: Ids of the bullets that misled.
    """
    if isinstance(says, Fact):
        return [_worked_out(says, lines) or says]
    reading = kind_of_question(question) if isinstance(says, Formula | Open) and says.examples else None
    if not isinstance(reading, Reading) or not isinstance(says, Formula | Open):
        return [says]
    reading = reading.beside(amount_of(says.examples[-1].result))
    known = _shown_by_two(says, question, reading, lines) if isinstance(says, Open) else says
    return [known] if isinstance(known, Open) else _with_rule(known, reading, lines, harmful)


def formulas_called(name: str, lines: Sequence[Line]) -> list[tuple[Line, Formula]]:
    """The bullets with a formula of a name, each with that."""
    return [(line, one) for line, one in saying(Formula, lines) if key_of(one.name) == key_of(name)]


def keyed(formula: Formula) -> Expression:
    """A formula's expression with its names as they are compared."""
    return with_names(formula.expression, lambda name: Name(key_of(name.words)))


def _shown_by_two(says: Open, question: str, reading: Reading, lines: Sequence[Line]) -> Formula | Open:
    """The formula that the example and those of the playbook show; else all examples that go together."""
    mine = says.examples[-1]
    target = amount_of(mine.result)
    if target is None:
        return says
    found = find_formula(question, reading, target, lines)
    if found.formula is not None:
        examples = (*found.formula.examples, mine)
        return Formula(says.name, found.formula.expression, tuple(dict.fromkeys(examples)))
    return Open(says.name, (*found.examples, mine))


def _with_rule(formula: Formula, reading: Reading, lines: Sequence[Line], harmful: Collection[str]) -> list[Knowledge]:
    """A formula, and the house rule by which its newest result is written, if another answer shows it.

    A formula that is there already gives way to the rule. A new one without constants keeps the earlier examples only.
    """
    *earlier, mine = formula.examples
    same = formulas_called(formula.name, lines)
    is_there = any(keyed(one) == keyed(formula) for _, one in same) and not any(line.id in harmful for line, _ in same)
    rule = _rule(formula, mine, reading, lines, unit_shown(formula, reading) if is_there else "")
    if is_there:
        return [rule or formula]
    others = tuple(one for one in earlier if not is_same_question(one, mine))
    has_constants = any(isinstance(part, Number) for part in parts_of(formula.expression))
    result = amount_of(mine.result)
    shows_form = result is not None and result.has_comma
    known = formula if has_constants or shows_form or not others else Formula(formula.name, formula.expression, others)
    return [known, *([rule] if rule else [])]


def _rule(formula: Formula, mine: Example, reading: Reading, lines: Sequence[Line], unit: str) -> Rule | None:
    bound = bind(formula.expression, reading.given)
    value = value_if_any(bound, reading.symbol or unit) if bound else None
    if value is None or (reading.symbol == "%" and mine.result.endswith(" %")):  # the sign may be the example's own
        return None
    lesson = rule_to_learn(value, formula.expression, reading, mine.result, lines)
    return lesson.rule if lesson else None


def _worked_out(fact: Fact, lines: Sequence[Line]) -> Formula | None:
    """The formula of a question that is read by its wording, if the right answer of another one agrees with it.

    A number of the question in another notation, or with other words, is not worked out: it makes a shape or a form.
    """
    reading, truth = read_by_wording(fact.questions[0]), amount_of(fact.answer)
    if reading is None or truth is None:
        return None
    reading = reading.beside(truth)
    found = find_formula(fact.questions[0], reading, truth, lines).formula
    if found is None or isinstance(found.expression, Name):
        return None
    mine = example_of(reading, truth._replace(text=fact.answer))
    return Formula(reading.asked, found.expression, tuple(dict.fromkeys((*found.examples, mine))))
