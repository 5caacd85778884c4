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


def total_rows(rows: Sequence[Row], column: str | None, group_by: str | None) -> dict[str, Any]:
    """Rows counted and, if a column is named, added up: in all and for each group, the largest first.

    Args:
        rows: At least one.
        column: A column of numbers; None only counts.
        group_by: A column whose values are the groups; None for one group of all.

    Returns:
        `rows`, `groups` (each with `name`, `rows`, and `sum` and `share` in percent), and of a column also `sum`,
        `smallest`, `largest` and `mean`.
    """
    groups: dict[str, list[Decimal]] = {}
    for row in rows:
        number = Decimal(0) if column is None else Decimal(row[column])
        groups.setdefault("all" if group_by is None else row[group_by], []).append(number)
    numbers = [number for group in groups.values() for number in group]
    with localcontext(prec=EXACT_DIGITS):
        whole = sum(numbers, Decimal(0))
        by_size = sorted(groups.items(), key=lambda pair: (-sum(pair[1]), -len(pair[1]), pair[0]))
        shown = [_group(name, group, whole, counted=column is None) for name, group in by_size]
        if column is None:
            return {"rows": len(rows), "groups": shown}
        places = max(-int(number.as_tuple().exponent) for number in numbers)
        return {
            "rows": len(rows),
            "groups": shown,
            "sum": show_number(whole),
            "smallest": show_number(min(numbers)),
            "largest": show_number(max(numbers)),
            "mean": show_number(whole / len(numbers), places=min(places + 2, 6)),
        }


def as_markdown(totals: Mapping[str, Any], column: str | None, group_by: str | None, *, language: Language = "en") -> str:
    """Totals as a Markdown table, the sum of all in the last line."""
    rows_of, rows, share, whole = (_SAID.say(language, key) for key in ("rows_of", "rows", "share", "all"))
    currency = totals.get("currency", "")
    summed = f"{column} ({currency})" if currency and not mark_in(str(column)) else column
    heads = [group_by or rows_of, rows, *([summed, share] if summed else [])]
    lines = ["| " + " | ".join(_escaped(head) for head in heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for group in totals["groups"]:
        cells = [_escaped(group["name"]), str(group["rows"]), *([group["sum"], group["share"]] if column else [])]
        lines.append("| " + " | ".join(cells) + " |")
    if len(totals["groups"]) > 1:
        lines.append(
            "| " + " | ".join([f"**{whole}**", str(totals["rows"]), *([totals["sum"], ""] if column else [])]) + " |"
        )
    return "\n".join(lines)


def _group(name: str, numbers: Sequence[Decimal], whole: Decimal, *, counted: bool) -> dict[str, Any]:
    if counted:
        return {"name": name, "rows": len(numbers)}
    total = sum(numbers, Decimal(0))
    share = f"{show_number(100 * total / whole, places=1)} %" if whole > 0 else "–"
    return {"name": name, "rows": len(numbers), "sum": show_number(total), "share": share}


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|")
