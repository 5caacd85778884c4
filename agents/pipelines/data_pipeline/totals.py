"""Sums over the rows of a table, exact to the last digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from typing import Any

from agents.models.simulated.language.detect import Language
from agents.models.simulated.language.phrases import phrases_beside
from agents.pipelines.data_pipeline.currencies import mark_in
from agents.pipelines.data_pipeline.numbers import show_number

_SAID = phrases_beside(__file__)

EXACT_DIGITS = 60
"""Enough for a product of two cells, added up over every row."""

Row = Mapping[str, str]


def with_product(rows: Sequence[Row], first: str, second: str, result: str) -> list[dict[str, str]]:
    """The rows with one more column: the product of two others."""
    with localcontext(prec=EXACT_DIGITS):
        return [{**row, result: show_number(Decimal(row[first]) * Decimal(row[second]))} for row in rows]


def total_rows(rows: Sequence[Row], column: str | None, group_by: str | None, *, mean: bool = False) -> dict[str, Any]:
    """Rows counted and, if a column is named, added up or averaged: in all and for each group, the largest first.

    Args:
        rows: At least one.
        column: A column of numbers; None only counts.
        group_by: A column whose values are the groups; None for one group of all.
        mean: Whether groups have the mean of their numbers, not the sum.

    Returns:
        `rows`, `groups` (each with `name`, `rows`, and `mean`, or `sum` and `share` in percent), and of a column also
        `smallest`, `largest`, `mean` and, if added up, `sum`.
    """
    groups: dict[str, list[Decimal]] = {}
    for row in rows:
        number = Decimal(0) if column is None else Decimal(row[column])
        groups.setdefault("all" if group_by is None else row[group_by], []).append(number)
    numbers = [number for group in groups.values() for number in group]
    places = min(max(-int(number.as_tuple().exponent) for number in numbers) + 2, 6)
    with localcontext(prec=EXACT_DIGITS):
        whole = sum(numbers, Decimal(0))
        sizes = {name: sum(group) / (len(group) if mean else 1) for name, group in groups.items()}
        by_size = sorted(groups.items(), key=lambda pair: (-sizes[pair[0]], -len(pair[1]), pair[0]))
        shown: list[dict[str, Any]] = [{"name": name, "rows": len(group)} for name, group in by_size]
        if column is None:
            return {"rows": len(rows), "groups": shown}
        for group in shown:
            size = Decimal(sizes[group["name"]])
            share = f"{show_number(100 * size / whole, places=1)} %" if whole > 0 else "–"
            group.update({"mean": show_number(size, places=places)} if mean else {"sum": show_number(size), "share": share})
        totals = {
            "rows": len(rows),
            "groups": shown,
            "smallest": show_number(min(numbers)),
            "largest": show_number(max(numbers)),
        }
        totals["mean"] = show_number(whole / len(numbers), places=places)
        return totals if mean else {**totals, "sum": show_number(whole)}


def as_markdown(totals: Mapping[str, Any], column: str | None, group_by: str | None, *, language: Language = "en") -> str:
    """Totals as a Markdown table, the sum or the mean of all in the last line."""
    rows_of, rows, whole = (_SAID.say(language, key) for key in ("rows_of", "rows", "all"))
    shown = [] if column is None else ["sum", "share"] if "sum" in totals else ["mean"]
    currency = totals.get("currency", "")
    named = f"{column} ({currency})" if currency and not mark_in(str(column)) else str(column)
    heads = [
        group_by or rows_of,
        rows,
        *(named if key == "sum" else _SAID.say(language, f"{key}_of", column=named) for key in shown),
    ]
    lines = ["| " + " | ".join(map(_escaped, heads)) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    last = {**totals, "name": f"**{whole}**", "share": ""}
    for group in [*totals["groups"], *([last] if len(totals["groups"]) > 1 else [])]:
        name = group["name"] if group is last else _escaped(group["name"])
        lines.append("| " + " | ".join([name, str(group["rows"]), *(group[key] for key in shown)]) + " |")
    return "\n".join(lines)


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|")
