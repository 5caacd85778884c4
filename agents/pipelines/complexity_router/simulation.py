"""What a simulated model answers for the classifier and for both agents.

The classifier and the quick agent read in their instructions how many steps are few. The thorough agent does no
arithmetic: it calls its tool for each step whose numbers are known, and quotes the articles that it has read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.complexity_router.complexity import is_complex, kinds_in
from agents.pipelines.complexity_router.quotations import quote
from agents.pipelines.complexity_router.sums import Sum, read_sums, shown, step_sign, work_out
from agents.pipelines.library.articles import Article
from agents.pipelines.library.quotes import pick, signs_for, subject_of
from agents.pipelines.library.quotes import shown as shown_text
from agents.pipelines.library.research import MOST_QUERY
from agents.pipelines.library.words import stems

MOST_STEPS = 20

_OF_ASKING = frozenset(stems("answer ask know tell thank hello"))

_AT_MOST = re.compile(r"at most (\d+)")
_REASONS = {
    "by_zero": re.compile(r"(?P<left>\S{1,60}) cannot be divided by 0\."),
    "too_large": re.compile(r"(?P<sum>[^a-z]{1,150}) is more than (?P<most>[\d,]{1,60})\."),
}
"""What the tool says of a step without a result, by the sentence that says it in other languages."""
_OF_SUMS = frozenset({"by", "divid", "minu", "multipli", "percent", "plu", "step", "sum", "tim"})
"""Stems of words that belong to a sum and not to a subject."""


def classify(request: SimulatedRequest) -> str:
    """Says on which side of the limit a message is."""
    return "complex" if is_complex(request.last_user_text(), most_steps=_limit(request)) else "simple"


def answer_quickly(request: SimulatedRequest) -> Reply | str:
    """Works out a short sum, or looks a fact up once; says no to the rest."""
    message = request.last_user_text()
    language = answer_language(message)
    say = phrases_beside(__file__, "sentences.toml").texts[language]
    sums = read_sums(message)
    if not sums:
        return say["quick_nothing"] if language != "en" else _fact(request, message, say)
    steps, limit = sum(len(list(found.steps())) for found in sums), _limit(request)
    if steps > limit:
        return say["too_many_for_quick"].format(steps=steps, limit=limit)
    try:
        return " ".join(f"{found} = {shown(_value(found))}." for found in sums)
    except ArithmeticError as error:
        return _reason(str(error), say)


def answer_thoroughly(request: SimulatedRequest) -> Reply | str:
    """Works out the sums, and quotes articles for the rest."""
    message = request.last_user_text()
    language = answer_language(message)
    say = phrases_beside(__file__, "sentences.toml").texts[language]
    sums = read_sums(message)
    worked = _worked_out(request, sums, say) if sums else ""
    if isinstance(worked, Reply) or (sums and not _asks_more(message, language)):
        return worked
    quoted = quote(request, message, say) if language == "en" else say["nothing"].format(question=shown_text(message))
    return quoted if isinstance(quoted, Reply) or not worked else f"{worked}\n\n{quoted}"


def _fact(request: SimulatedRequest, question: str, say: dict[str, str]) -> Reply | str:
    """One sentence of what a single search found."""
    searches = request.tool_results("search_library")
    if not searches:
        return Reply(calls=[("search_library", {"query": question[:MOST_QUERY]})])
    found = (searches[-1].response or {}).get("found", [])
    articles = [Article(entry["id"], entry["title"], entry["snippet"]) for entry in found]
    quotes = pick(question, articles, most=3, signs=signs_for(question))
    if not quotes:
        return say["quick_nothing"]
    asked = set(stems(question)) - _OF_ASKING
    return next((str(found) for found in quotes if asked <= set(stems(found.sentence))), say["quick_unsaid"])


def _asks_more(message: str, language: str) -> bool:
    """Whether a message with sums has a question besides them; in English, where its words can be told apart."""
    subject = {stem for stem in subject_of(message) if not stem[0].isdigit()} - _OF_SUMS
    return language == "en" and bool(subject and kinds_in(message))


def _worked_out(request: SimulatedRequest, sums: list[Sum], say: dict[str, str]) -> Reply | str:
    """Calls calculate for the steps that can be done, until all are; then shows them."""
    steps = [step for found in sums for step in found.steps()]
    if len(steps) > MOST_STEPS:
        return say["too_many"].format(steps=len(steps), limit=MOST_STEPS)
    results = [result.response or {} for result in request.tool_results("calculate")]
    if failed := [str(result["error"]) for result in results if "error" in result]:
        return say["impossible"].format(error=_reason(failed[0], say))
    known, due = _with_results(steps, results)
    if due:
        plan = say["step_count"].format(steps=len(steps), due=len(due)) if len(steps) > 1 and not results else ""
        return Reply(calls=[("calculate", _arguments(step, known)) for step in due], thought=plan)
    lines = [f"{number}. {_line(step, known)}" for number, step in enumerate(steps, 1)]
    ends = [f"{found} = {shown(known[id(found)])}" for found in sums]
    return "\n".join([*lines, say["result"].format(sums="; ".join(ends))])


def _reason(error: str, say: dict[str, str]) -> str:
    """Why a step has no result, in the language of the answer."""
    told = ((key, found) for key, reason in _REASONS.items() if (found := reason.fullmatch(error)))
    return next((say[key].format(**found.groupdict()) for key, found in told), error)


def _with_results(steps: Sequence[Sum], results: Sequence[dict[str, Any]]) -> tuple[dict[int, Decimal], list[Sum]]:
    """What is known of each step, given the results in the order of the calls; and the steps to call next.

    A step is known by its `id`: it may look like another one.
    """
    known: dict[int, Decimal] = {}
    come = iter(results)
    while due := [step for step in steps if id(step) not in known and _is_ready(step, known)]:
        for step in due:
            if (result := next(come, None)) is None:
                return known, due
            known[id(step)] = Decimal(str(result["result"]))
    return known, []


def _is_ready(step: Sum, known: dict[int, Decimal]) -> bool:
    return all(isinstance(side, Decimal) or id(side) in known for side in (step.left, step.right))


def _numbers(step: Sum, known: dict[int, Decimal]) -> tuple[Decimal, Decimal]:
    left, right = (known[id(side)] if isinstance(side, Sum) else side for side in (step.left, step.right))
    return left, right


def _arguments(step: Sum, known: dict[int, Decimal]) -> dict[str, Any]:
    left, right = _numbers(step, known)
    return {"left": float(left), "sign": step.sign, "right": float(right)}


def _line(step: Sum, known: dict[int, Decimal]) -> str:
    left, right = _numbers(step, known)
    return f"{shown(left)} {step_sign(step.sign)} {shown(right)} = {shown(known[id(step)])}"


def _value(side: Decimal | Sum) -> Decimal:
    return work_out(_value(side.left), side.sign, _value(side.right)) if isinstance(side, Sum) else side


def _limit(request: SimulatedRequest) -> int:
    found = _AT_MOST.search(request.instruction)
    return int(found[1]) if found else 1


SIMULATION = {"ComplexityClassifier": classify, "QuickAgent": answer_quickly, "ThoroughAgent": answer_thoroughly}
