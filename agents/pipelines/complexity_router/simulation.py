"""What a simulated model answers for the classifier and for both agents.

The classifier and the quick agent read in their instructions how many steps are few. The thorough agent calls its
tool for each step whose numbers are known, and quotes the articles that it has read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import (
    Call,
    Expression,
    Operation,
    equals,
    number,
    operands,
    parts_of,
    value_of,
    with_operands,
    write,
)
from agents.models.simulated.reading.forms import Forms, Reading
from agents.pipelines.library import questions
from agents.pipelines.library.articles import Article
from agents.pipelines.library.research import articles_of
from agents.pipelines.library.subjects import read_about

MOST_STEPS = 20

_DATA = words_beside(__file__, "simulation.toml")
_SAID = phrases_beside(__file__, "simulation.toml")
_SIGNS = {"added": "+", "subtracted": "-", "multiplied": "*", "divided": "/"}
_AT_MOST = re.compile(r"at most (\d+)")
_RESULT = re.compile(r"([=≈]) (-?[\d.]{1,40})$")


_FORMS = Forms(_DATA | {"forms": _DATA["forms"] | {"en": questions.FORMS | _DATA["forms"]["en"]}}, questions.KINDS)


def classify(request: SimulatedRequest) -> str:
    """Says on which side of the limit a message is, and by what."""
    reading, asked = _read(request)
    if asked is None:
        return _DATA["features"][reading.form if reading else "unread"]
    if reading and reading.form in _DATA["features"]:
        return _DATA["features"][reading.form]
    steps = len(_steps(asked))
    return f"{'simple' if steps <= _limit(request) else 'complex'}: {steps} step{'' if steps == 1 else 's'}"


def answer_quickly(request: SimulatedRequest) -> Reply | str:
    """Works out a short sum, or looks a fact up once; says no to the rest."""
    reading, asked = _read(request)
    message, say = request.last_user_text(), _say(request)
    if reading is None:
        return _FORMS.refusal(message)
    if asked is None and _DATA["features"][reading.form].startswith("simple"):
        searches = request.tool_results("search_library")
        if not searches:
            return Reply(calls=[("search_library", {"query": message})])
        found = (searches[-1].response or {}).get("found", [])
        articles = [Article(entry["id"], entry["title"], entry["snippet"]) for entry in found]
        return " ".join(map(str, questions.answers_to(reading, articles))) or _FORMS.refusal(message)
    if asked is None or len(_steps(asked)) > _limit(request):
        return say["too_much_for_quick"].format(limit=_limit(request))
    try:
        return f"{write(asked)} {equals(value_of(asked))}."
    except ArithmeticError as error:
        return _impossible(str(error), say)


def answer_thoroughly(request: SimulatedRequest) -> Reply | str:
    """Works out a sum step by step, or quotes the articles that are asked about."""
    reading, asked = _read(request)
    if reading is None:
        return _FORMS.refusal(request.last_user_text())
    if asked is not None:
        return _worked_out(request, asked, _say(request))
    articles = articles_of(request, reading)
    if isinstance(articles, Reply):
        return articles
    quotes = list(map(str, questions.answers_to(reading, articles)))
    if not quotes:
        return _FORMS.refusal(request.last_user_text())
    return "\n\n".join([_DATA["compared"]["said"], *quotes]) if reading.form == "compared" else " ".join(quotes)


def _read(request: SimulatedRequest) -> tuple[Reading | None, Expression | None]:
    """What the message says, and the sum if it asks for one; a number that cannot be written as it is read is not read."""
    reading = read_about(_FORMS, request.last_user_text())
    if reading is None:
        return None, None
    asked: Expression | None = reading.get("sum")
    if sign := _SIGNS.get(reading.form):
        asked = Operation(sign, *(number(Fraction(str(reading.get(side)))) for side in ("left", "right")))
    if asked is not None and parse(write(asked), names=False) != asked:
        return None, None
    return reading, asked


def _steps(asked: Expression) -> list[Expression]:
    """The different steps of a sum, each after those that it needs."""
    return list(dict.fromkeys(part for part in parts_of(asked) if isinstance(part, Operation | Call)))


def _worked_out(request: SimulatedRequest, asked: Expression, say: dict[str, str]) -> Reply | str:
    """Calls calculate for the steps that can be done, until all are; then shows them."""
    steps = _steps(asked)
    if len(steps) > MOST_STEPS:
        return say["too_many"].format(steps=len(steps), limit=MOST_STEPS)
    results = [result.response or {} for result in request.tool_results("calculate")]
    if failed := [str(result["error"]) for result in results if "error" in result]:
        return _impossible(failed[0], say)
    lines = [str(result["result"]) for result in results]
    known, done = dict[Expression, Fraction](), list[Expression]()
    while due := [step for step in steps if step not in done and all(part in (*done, step) for part in _steps(step))]:
        if len(done) == len(lines):
            plan = say["step_count"].format(steps=len(steps), due=len(due)) if len(steps) > 1 and not results else ""
            return Reply(calls=[("calculate", {"step": write(_filled(step, known))}) for step in due], thought=plan)
        for step, line in zip(due, lines[len(done) :], strict=False):
            done.append(step)
            if (found := _RESULT.search(line)) and found[1] == "=":
                known[step] = Fraction(found[2])
    numbered = [f"{place}. {line}" for place, line in enumerate(lines, 1)]
    return "\n".join([*numbered, say["result"].format(sum=f"{write(asked)} {equals(value_of(_filled(asked, known)))}")])


def _filled(expression: Expression, known: Mapping[Expression, Fraction]) -> Expression:
    """A step with the results that it needs in their places; one that was rounded stays as it was, to be exact."""
    if expression in known:
        return number(known[expression])
    return with_operands(expression, [_filled(operand, known) for operand in operands(expression)])


def _impossible(error: str, say: dict[str, str]) -> str:
    reasons = {"divided by 0": "by_zero", "more than": "too_large"}
    return say[next((key for sign, key in reasons.items() if sign in error), "impossible")].format(error=error)


def _say(request: SimulatedRequest) -> dict[str, Any]:
    return _SAID.texts[answer_language(request.last_user_text())]


def _limit(request: SimulatedRequest) -> int:
    found = _AT_MOST.search(request.instruction)
    return int(found[1]) if found else 1


SIMULATION = {"ComplexityClassifier": classify, "QuickAgent": answer_quickly, "ThoroughAgent": answer_thoroughly}
