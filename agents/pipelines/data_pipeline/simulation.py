"""What a simulated model answers for the validator, the processor and the reporter.

They read columns and errors in their instruction and the results of their tools; none of them sees a row or does a sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.language.detect import Language, is_in_unread_script, language_called
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipelines.data_pipeline.columns import (
    AMOUNTS,
    NO_MEASURES,
    PRICES,
    QUANTITIES,
    is_called,
    is_understood,
    wants_column,
    wants_mean,
)
from agents.pipelines.data_pipeline.currencies import with_currency

_COLUMN = re.compile(r"\A- (.+): (text|number), (\d++) different")
_ANSWER_IN = re.compile(r"^Answer in (.+)\.$", re.MULTILINE)
MOST_SHOWN = 60
_SAID = phrases_beside(__file__)


class _Column(NamedTuple):
    name: str
    is_number: bool
    distinct: int


def validate(request: SimulatedRequest) -> Reply | str:
    """Has the table checked, then says what the tool counted."""
    result = request.last_answer("check_table")
    if result is None:
        return Reply(calls=[("check_table", {})])
    language = language_called(str(result.get("language")))
    if "error" in result:
        return _SAID.say(language, "unchecked", error=result["error"])
    errors, rows = int(result["error_count"]), int(result["rows"])
    key = "no_error" if not errors else "one_error" if errors == 1 else "errors"
    row_count = f"{rows} {'row' if rows == 1 else 'rows'}" if language == "en" else rows
    said = _SAID.say(language, key, usable=result["usable"], rows=row_count, errors=errors)
    return f"{said} {unread()}" if is_in_unread_script(request.last_user_text()) else said


def process(request: SimulatedRequest) -> Reply | str:
    """Multiplies quantity and price if there are both, adds up what matters, then says what came out."""
    columns = [
        _Column(found[1], found[2] == "number", int(found[3]))
        for line in request.section("columns").splitlines()
        if (found := _COLUMN.fullmatch(line))
    ]
    wish = request.section("wish").lower()
    product, totals = request.last_answer("multiply_columns"), request.last_answer("total_by")
    quantity, price = _named(columns, QUANTITIES), _named(columns, PRICES)
    is_wanted = not _wished(columns, wish) and not _named(columns, AMOUNTS)
    if product is None and totals is None and quantity and price and is_wanted:
        return Reply(
            calls=[
                ("multiply_columns", {"first": quantity, "second": price, "result": _SAID.say(_language(request), "amount")})
            ]
        )
    made = str(product["column"]) if product and "column" in product else None
    asked = {"column": _measure(columns, wish, made), "group_by": _grouping(columns, wish)}
    if totals is None:
        return Reply(calls=[("total_by", {name: value for name, value in asked.items() if value})])
    said = _finding(_language(request), totals, wants_mean=wants_mean(wish), **asked)
    if not wish or "error" in totals or is_understood(wish, [column.name for column in columns]):
        return said
    return _SAID.say(_language(request), "not_understood", said=said, wish=shortened(request.section("wish"), MOST_SHOWN))


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


def _finding(
    language: Language, totals: dict[str, Any], *, wants_mean: bool, column: str | None, group_by: str | None
) -> str:
    if "error" in totals:
        return _SAID.say(language, "uncomputed", error=totals["error"])
    first = totals["groups"][0]
    if column is None:
        said = _SAID.say(language, "counted", rows=totals["rows"])
        is_told = group_by and first["rows"] > 1
        return _SAID.say(language, "most_have", said=said, column=group_by, name=first["name"]) if is_told else said
    mark = str(totals.get("currency", ""))
    numbers = {key: with_currency(totals[key], mark) for key in ("sum", "smallest", "largest")}
    said = _SAID.say(language, "total", column=column, **numbers)
    if wants_mean:
        said = _SAID.say(language, "mean", said=said, column=column, mean=with_currency(totals["mean"], mark))
    if len(totals["groups"]) > 1:
        part = with_currency(first["sum"], mark)
        said = _SAID.say(language, "largest", said=said, name=first["name"], sum=part, share=first["share"])
    return said


def _language(request: SimulatedRequest) -> Language:
    """The language that the instruction asks for."""
    found = _ANSWER_IN.search(request.instruction)
    return language_called(found[1]) if found else "en"


def _measure(columns: Sequence[_Column], wish: str, made: str | None) -> str | None:
    """The column to add up: the one wished for, else the one that was made, else one that is called like an amount."""
    likely = [column.name for column in columns if column.is_number and not is_called(column.name, NO_MEASURES)]
    return _wished(columns, wish) or made or _named(columns, AMOUNTS) or (likely[-1] if likely else None)


def _wished(columns: Sequence[_Column], wish: str) -> str | None:
    return next((column.name for column in columns if column.is_number and wants_column(wish, column.name)), None)


def _grouping(columns: Sequence[_Column], wish: str) -> str | None:
    """The column to group by: the one wished for, else the text with the fewest different values."""
    texts = [column for column in columns if not column.is_number]
    _, by, named = wish.rpartition(" by ")
    candidates = columns if by else texts
    wished = next((column.name for column in candidates if wants_column(named, column.name)), None)
    return wished or (min(texts, key=lambda column: column.distinct).name if texts else None)


def _named(columns: Sequence[_Column], names: Sequence[str]) -> str | None:
    return next((column.name for column in columns if column.is_number and is_called(column.name, names)), None)


SIMULATION = {"TableValidator": validate, "TableProcessor": process, "TableReporter": report}
