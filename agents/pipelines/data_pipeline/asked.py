"""What a message asks for, if all of it is understood: each line as a row, and what stands around the rows by a form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message, thing
from agents.models.simulated.reading.tokens import tokens_of
from agents.pipelines.data_pipeline.columns import (
    ADDED_UP,
    AMOUNTS,
    AVERAGED,
    NO_MEASURES,
    PRICES,
    QUANTITIES,
    has_word,
    is_called,
    kind_of,
)
from agents.pipelines.data_pipeline.currencies import is_added_up
from agents.pipelines.data_pipeline.table import Table, read_table

FEWEST_LINES = 3
"""Rows that a table of text, or numbers alone without a wish, has at least."""


class Field(NamedTuple):
    """A column as the processor is told of it; `unit` is its currency or unit, "" for none."""

    name: str
    is_number: bool
    distinct: int
    unit: str = ""


class Asked(NamedTuple):
    """What to compute: the column to add up or average, None to count rows; the columns to multiply first; the groups."""

    measure: str | None
    group_by: str | None
    mean: bool
    factors: tuple[str, str] | None


def asked_of(wish: str, columns: Sequence[Field], made: str) -> Asked | None:
    """What a wish comes to for some columns; None if no form covers it or the columns have nothing of the kind.

    Args:
        wish: What stands around the rows; "" for none.
        columns: In their order.
        made: What the product of a quantity and a price is called.
    """
    numbers = [column for column in columns if column.is_number]
    quantity, price, amount = (_called(numbers, names) for names in (QUANTITIES, PRICES, AMOUNTS))
    factors = (quantity, price) if quantity and price and not amount else None
    forms = _forms(tuple(column.name for column in columns), made if factors else "")
    reading = forms.read(wish) if wish else None
    if wish and reading is None:
        return None
    form, named, group = (reading.form, reading.get("measure"), reading.get("group")) if reading else ("given", None, None)
    if named == price and form == "total" and factors:
        named = made
    likely = [column.name for column in numbers if not has_word(column.name, NO_MEASURES)]
    if form == "count":
        measure = None
    elif named:
        measure = named
    elif factors:
        measure = made
    else:
        added = [column.name for column in numbers if column.name in likely and _adds_up(column)]
        measure = amount or (added or likely or [None])[-1]
    held = {column.name: column for column in columns}.get(measure or "")
    if (form in ("total", "mean") and measure is None) or (
        held and (not held.is_number or has_word(held.name, NO_MEASURES))
    ):
        return None
    if not wish and not factors and sum(has_word(column.name, _UNNAMED) for column in numbers) > 1:
        return None
    texts = [column for column in columns if not column.is_number]
    grouped = group or (min(texts, key=lambda column: column.distinct).name if texts else None)
    is_mean = form == "mean" or (form == "given" and held is not None and not _adds_up(held))
    return Asked(measure, grouped, is_mean, factors if measure == made else None) if grouped != measure else None


def is_read(message: str, made: str) -> bool:
    """Whether all of a message is understood, and there is something to compute or to mend."""
    table = read_table(message)
    columns = [Field(column.name, column.kind == "number", column.distinct, column.currency) for column in table.columns]
    if not columns or not table.is_plain or (table.is_list and not _is_list(message, table, columns)):
        return False
    if not any(column.is_number for column in columns):
        is_told = bool(table.wish) or table.seen >= FEWEST_LINES
        if not is_told or not all(_is_short(text) for row in table.rows for text in row.values()):
            return False
    return asked_of(table.wish, columns, made) is not None


def refusal(message: str) -> Reply:
    """What can be said here, with two examples."""
    return _forms((), "").refusal(message)


def _is_list(message: str, table: Table, columns: Sequence[Field]) -> bool:
    """Whether the entries of a list are things with numbers, and enough of them."""
    fewest = FEWEST_LINES if len(columns) == 1 and not table.wish else 2
    items = [row[column.name] for row in table.rows for column in columns if not column.is_number]
    is_told = len(columns) > 1 or table.wish or any(sign in message for sign in ",;、，；\n")
    has_numbers = any(column.is_number for column in columns)
    if not table.wish and not any(column.unit for column in columns) and items and all(map(str.istitle, items)):
        return False  # "Anna 1.7, Ben 2.3" may be grades or ages, which no sum says anything of
    return bool(is_told) and has_numbers and len(table.rows) >= fewest and all(map(_is_thing, items))


def _is_thing(item: str) -> bool:
    tokens = tokens_of(item)
    language = "en" if not any(map(is_cjk, item)) else "zh"
    ends = [end for end, _ in thing(Message(item, tokens, language), 0)]
    return len(tokens) in ends and not has_word(item.rsplit(maxsplit=1)[-1], [*NO_MEASURES, *_MONTHS])


def _is_short(text: str) -> bool:
    return len(text.split()) <= FEWEST_LINES and not text.endswith((".", "?", "!", "。", "？", "！"))


def _adds_up(column: Field) -> bool:
    """Whether a sum of a column says something: of amounts, quantities, prices, money, measures or bare numbers."""
    if has_word(column.name, AVERAGED) or (column.unit and not is_added_up(column.unit)):
        return False
    return bool(column.unit) or has_word(column.name, [*ADDED_UP, *_UNNAMED])


def _called(columns: Sequence[Field], names: Sequence[str]) -> str | None:
    return next((column.name for column in columns if is_called(column.name, names)), None)


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...], made: str) -> Forms:
    return Forms(words_beside(__file__, "simulation.toml"), {"column": kind_of(names, made=made)})


_MONTHS = words_beside(__file__, "columns.toml")["names"]["months"]
_UNNAMED = ["値", "数值", "數值", "column", "列目", "第2列", "第3列"]
