"""What a simulated model answers for the validator, the processor and the reporter.

They read columns and errors in their instruction and the results of their tools; none of them sees a row or does a sum.
"""

from __future__ import annotations

import re
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language, language_called
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.data_pipeline.asked import Asked, Field, asked_of, is_read, refusal
from agents.pipelines.data_pipeline.currencies import with_currency

_COLUMN = re.compile(r"\A- (.+): (text|number), (\d++) different(?:, in (.+))?")
_ANSWER_IN = re.compile(r"^Answer in (.+)\.$", re.MULTILINE)
_SAID = phrases_beside(__file__)


def validate(request: SimulatedRequest) -> Reply | str:
    """Has the table checked, then says what the tool counted."""
    result = request.last_answer("check_table")
    if result is None:
        message = request.last_user_text()
        if not is_read(message, _SAID.say(answer_language(message), "amount")):
            return refusal(message)
        return Reply(calls=[("check_table", {})])
    language = language_called(str(result.get("language")))
    if "error" in result:
        return _SAID.say(language, "unchecked", error=result["error"])
    errors, rows = int(result["error_count"]), int(result["rows"])
    key = "no_error" if not errors else "one_error" if errors == 1 else "errors"
    row_count = f"{rows} {'row' if rows == 1 else 'rows'}" if language == "en" else rows
    return _SAID.say(language, key, usable=result["usable"], rows=row_count, errors=errors)


def process(request: SimulatedRequest) -> Reply | str:
    """Multiplies quantity and price if there are both, adds up or averages what matters, then says what came out."""
    columns = [
        Field(found[1], found[2] == "number", int(found[3]), found[4] or "")
        for line in request.section("columns").splitlines()
        if (found := _COLUMN.fullmatch(line))
    ]
    language = _language(request)
    wish, made = request.section("wish"), _SAID.say(language, "amount")
    product, totals = request.last_answer("multiply_columns"), request.last_answer("total_by")
    if (asked := asked_of(wish, columns, made)) is None:
        return _SAID.say(language, "not_understood", wish=wish)
    if product is None and totals is None and asked.factors:
        first, second = asked.factors
        return Reply(calls=[("multiply_columns", {"first": first, "second": second, "result": made})])
    if totals is None:
        called = {"column": asked.measure, "group_by": asked.group_by, "mean": asked.mean}
        return Reply(calls=[("total_by", {name: value for name, value in called.items() if value})])
    return _finding(language, totals, asked)


def report(request: SimulatedRequest) -> str:
    """Puts what the others found in order, word for word."""
    validation, result = request.section("validation"), request.section("result")
    totals, errors = request.section("totals", until="errors"), request.section("errors")
    language = _language(request)
    joint = " " if language == "en" else ""
    said = [joint.join(text for text in (validation, result) if text) or _SAID.say(language, "unknown")]
    if totals := totals.removesuffix("</totals>").strip():
        said.append(totals)
    if errors:
        said.append(f"{_SAID.say(language, 'left_out' if totals else 'to_mend')}\n{errors}")
    return "\n\n".join(said)


def _finding(language: Language, totals: dict[str, Any], asked: Asked) -> str:
    if "error" in totals:
        return _SAID.say(language, "uncomputed", error=totals["error"])
    first, column = totals["groups"][0], asked.measure
    if column is None:
        said = _SAID.say(language, "counted", rows=totals["rows"])
        is_told = asked.group_by and first["rows"] > 1
        return _SAID.say(language, "most_have", said=said, column=asked.group_by, name=first["name"]) if is_told else said
    key, mark = "mean" if asked.mean else "sum", str(totals.get("currency", ""))
    numbers = {name: with_currency(totals[name], mark) for name in (key, "smallest", "largest")}
    said = _SAID.say(language, "mean" if asked.mean else "total", column=column, **numbers)
    if len(totals["groups"]) > 1:
        most = {key: with_currency(first[key], mark), "share": first.get("share")}
        said = _SAID.say(language, "highest" if asked.mean else "largest", said=said, name=first["name"], **most)
    return said


def _language(request: SimulatedRequest) -> Language:
    """The language that the instruction asks for."""
    found = _ANSWER_IN.search(request.instruction)
    return language_called(found[1]) if found else "en"


SIMULATION = {"TableValidator": validate, "TableProcessor": process, "TableReporter": report}
