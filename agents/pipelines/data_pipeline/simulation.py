"""What a simulated model answers for the validator, the processor and the reporter.

They read columns and errors in their instruction and the results of their tools; none of them sees a row or does a sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from agents.models.simulated import Reply, SimulatedRequest

QUANTITIES = ("quantity", "qty", "count", "pieces", "units", "number")
PRICES = ("price", "unit price", "unit_price", "price each", "each", "cost", "rate")
AMOUNTS = ("amount", "total", "sum", "sales", "revenue", "value")
NO_MEASURES = ("id", "no", "nr", "row", "line", "year", "zip", "code")

_COLUMN = re.compile(r"\A- (.+): (text|number), (\d++) different")


class _Column(NamedTuple):
    name: str
    is_number: bool
    distinct: int


def validate(request: SimulatedRequest) -> Reply | str:
    """Has the table checked, then says what the tool counted."""
    result = _last(request, "check_table")
    if result is None:
        return Reply(calls=[("check_table", {})])
    if "error" in result:
        return f"The table could not be checked: {result['error']}"
    errors, usable = int(result["error_count"]), int(result["usable"])
    found = _count(errors, "error") if errors else "no error"
    return f"{usable} of {_count(result['rows'], 'row')} can be used; {found} found."


def process(request: SimulatedRequest) -> Reply | str:
    """Multiplies quantity and price if there are both, adds up what matters, then says what came out."""
    columns = [
        _Column(found[1], found[2] == "number", int(found[3]))
        for line in request.section("columns").splitlines()
        if (found := _COLUMN.fullmatch(line))
    ]
    wish = request.section("wish").lower()
    product, totals = _last(request, "multiply_columns"), _last(request, "total_by")
    quantity, price = _named(columns, QUANTITIES), _named(columns, PRICES)
    is_wanted = not _wished(columns, wish) and not _named(columns, AMOUNTS)
    if product is None and totals is None and quantity and price and is_wanted:
        return Reply(calls=[("multiply_columns", {"first": quantity, "second": price, "result": "amount"})])
    made = str(product["column"]) if product and "column" in product else None
    asked = {"column": _measure(columns, wish, made), "group_by": _grouping(columns, wish)}
    if totals is None:
        return Reply(calls=[("total_by", {name: value for name, value in asked.items() if value})])
    return _finding(totals, **asked)


def report(request: SimulatedRequest) -> str:
    """Puts what the others found in order, word for word."""
    validation, result = request.section("validation"), request.section("result")
    totals, errors = request.section("totals", until="errors"), request.section("errors")
    said = [" ".join(text for text in (validation, result) if text) or "Nothing is known about this table."]
    if totals := totals.removesuffix("</totals>").strip():
        said.append(totals)
    if errors:
        said.append(f"Left out:\n{errors}" if totals else f"To be mended first:\n{errors}")
    return "\n\n".join(said)


def _finding(totals: dict[str, Any], *, column: str | None, group_by: str | None) -> str:
    if "error" in totals:
        return f"Nothing could be computed: {totals['error']}"
    first = totals["groups"][0]
    if column is None:
        most = f" Most have the {group_by} {first['name']}." if group_by and first["rows"] > 1 else ""
        return f"There is no column of numbers, so rows were counted: {totals['rows']}.{most}"
    said = f"The total {column} is {totals['sum']}, from {totals['smallest']} to {totals['largest']} a row."
    if len(totals["groups"]) > 1:
        said += f" The largest part is {first['name']} with {first['sum']} ({first['share']})."
    return said


def _measure(columns: Sequence[_Column], wish: str, made: str | None) -> str | None:
    """The column to add up: the one wished for, else the one that was made, else one that is called like an amount."""
    likely = [column.name for column in columns if column.is_number and column.name not in NO_MEASURES]
    return _wished(columns, wish) or made or _named(columns, AMOUNTS) or (likely[-1] if likely else None)


def _wished(columns: Sequence[_Column], wish: str) -> str | None:
    return next((column.name for column in columns if column.is_number and _mentions(wish, column.name)), None)


def _grouping(columns: Sequence[_Column], wish: str) -> str | None:
    texts = [column for column in columns if not column.is_number]
    by = wish.rpartition(" by ")[2] if " by " in wish else wish
    if wished := next((column.name for column in columns if column.name and _mentions(by, column.name)), None):
        return wished
    return min(texts, key=lambda column: column.distinct).name if texts else None


def _mentions(wish: str, name: str) -> bool:
    """Whether a column's name stands in a wish, in the plural too, and not as a part of another word."""
    at = wish.find(name)
    while at >= 0:
        rest = wish[at + len(name) : at + len(name) + 2]
        before = wish[at - 1 : at]
        if not _joins(before, name[0]) and not (_joins(name[-1], rest[:1]) and (rest[:1] != "s" or _joins("s", rest[1:]))):
            return True
        at = wish.find(name, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Whether two characters that stand side by side belong to one word."""
    return all(one.isalnum() or one == "_" for one in (left, right) if one) and bool(left and right)


def _named(columns: Sequence[_Column], names: Sequence[str]) -> str | None:
    return next((column.name for column in columns if column.is_number and column.name in names), None)


def _last(request: SimulatedRequest, tool: str) -> dict[str, Any] | None:
    results = request.tool_results(tool)
    return (results[-1].response or {}) if results else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


SIMULATION = {"TableValidator": validate, "TableProcessor": process, "TableReporter": report}
