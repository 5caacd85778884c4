"""Reads a table that a user typed or pasted, and checks every row of it.

Takes lines of cells (CSV with commas, semicolons or tabs, or a Markdown table) and lists such as "3 apples at 0.40".
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain, shortened
from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.numbers import numbers_in
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.language.words import words_beside
from agents.pipelines.data_pipeline.columns import is_never_negative
from agents.pipelines.data_pipeline.currencies import MARK, are_same, currency_of, is_currency, mark_in
from agents.pipelines.data_pipeline.numbers import read_number, show_number

MAX_ROWS, MAX_COLUMNS, MAX_CELL, MAX_PROBLEMS = 500, 20, 80, 50
MOST_WORDS = 4
"""Words up to which a text is taken for the name of a column or an item, not for a sentence."""
DELIMITERS = ("\t", ";", "|", ",")
_SAID = phrases_beside(__file__)
NO_TABLE = _SAID.say("en", "no_table")

_RULER = re.compile(r"[\s|:=+-]++|`{3,}+\w*+|~{3,}+\w*+")
_BULLET = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s++")
_BETWEEN_ENTRIES = re.compile(r"[;,]\s++(?:and\s++)?|(?<!\s)\s++and\s++")
_BETWEEN_NUMBERS = re.compile(r",\s*+(?:and\s++)?|(?<!\s)\s++(?:and\s++)?")
_ENTRY = re.compile(
    rf"\A(?:(?P<quantity>[-+−]?\d[\d.,]*+(?:\s?+(?:{MARK}))?+(?:\s++of\b)?)(?:\s*+[x×]\s++|\s++))(?P<item>[^\d\s:=@].*?)"
    r"(?:(?:(?<!\s)\s++)?+(?:\bat\b|\bà\b|@)\s*+(?P<price>\S.*?)(?:(?<!\s)\s++each)?+)?"
    r"|(?P<named>[^\d\s:=@].*?)(?:(?:(?<!\s)\s++)?+(?:\bat\b|[:=@])\s*+(?P<value>\S.*)|(?<!\s)\s++(?:-\s++)?(?P<last>[-+−$€£¥]?\d.*))",
    re.IGNORECASE | re.DOTALL,
)


_COMMA = re.compile(r",(?!(?<=\d,)\d{3}(?!\d))")
_MONEY = re.compile(rf"\s?(?:{MARK}|[块塊])", re.IGNORECASE)
_FILL = re.compile(r"(?:每[個个]?|各|単価|单价|單價|[でをはがの:@¥€$£]|\s)")
"""What stands between the parts of an entry in Japanese or Chinese."""
_EACH = re.compile(r"[每各@]|単価|单价|單價|(?:1|一)[個个本枚]")
"""Without one of these, a price beside a quantity may be that of one piece or of all."""
_WORD_AFTER = re.compile(r"\s?\w?[钟鐘間]?")
_NO_COUNTS = frozenset(words_beside(__file__, "columns.toml")["names"]["no_counts"])
"""Counters of scores, ages, ranks and degrees: a number with one is no quantity."""
_NOT_IN_A_WISH = re.compile(r"[;\d]")
_ENDS = (":", "?", "!", ".", "。")
"""A line at the edge of a table that ends like a sentence is no row of it."""


class _Entry(NamedTuple):
    """One entry of a list on a single line, with its name."""

    place: str
    text: str


class Line(NamedTuple):
    """The cells of one line of a message, and its name for the user, e.g. "Line 4"."""

    place: str
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it holds, how many different values, and its currency as it is written, "" for none."""

    name: str
    kind: Literal["text", "number"]
    distinct: int
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was understood.

    Attributes:
        columns: In their order.
        rows: Those without an error: column → text, or number in its plain form.
        problems: One sentence for each error, with the line that it is in; of very many, the first.
        errors: How many errors there are.
        seen: How many rows were looked at.
        wish: The user's text above and below the table, "" if none.
        language: The language of the message, for what is said about the table.
        is_list: Whether it is a list of entries without names for the columns.
        is_plain: Whether every line was surely meant as a row of it.
    """

    columns: list[Column]
    rows: list[dict[str, str]]
    problems: list[str]
    errors: int
    seen: int
    wish: str
    language: Language = "en"
    is_list: bool = False
    is_plain: bool = False


def read_table(text: str) -> Table:
    """The table in a message; any text gives one, if only with problems."""
    language = answer_language(text)
    wish, named = _split_wish(text, language)
    header, lines, is_list = _cells_of(named, language)
    problems: list[str] = []
    if len(lines) > MAX_ROWS:
        problems.append(_SAID.say(language, "too_many_rows", most=MAX_ROWS, rows=len(lines)))
    seen, lines = len(lines), lines[:MAX_ROWS]
    whole = [line for line in lines if len(line.cells) == len(header)]
    numeric = [_is_numeric([line.cells[place] for line in whole]) for place in range(len(header))]
    if not lines or (not any(numeric) and len(header) < 2):  # noqa: PLR2004  one column of text is just text
        return Table([], [], [_SAID.say(language, "no_table")], 1, seen, wish, language)
    currencies = [
        currency_of(name, [line.cells[place] for line in whole]) if numeric[place] else ""
        for place, name in enumerate(header)
    ]
    rows: list[dict[str, str]] = []
    for line in lines:
        found = list(_problems_in(line, header, numeric, currencies, language))
        problems += found
        if not found:
            cells = zip(header, line.cells, numeric, strict=True)
            rows.append({name: _clean(cell, is_number) for name, cell, is_number in cells})
    columns = [
        Column(name, "number" if is_number else "text", len({row[name] for row in rows}), currency)
        for name, is_number, currency in zip(header, numeric, currencies, strict=True)
    ]
    listed = problems[:MAX_PROBLEMS]
    if len(problems) > MAX_PROBLEMS:
        listed.append(_SAID.say(language, "more_errors", count=len(problems) - MAX_PROBLEMS))
    is_plain = not problems if is_list else _is_plain(header, lines, numeric)
    return Table(columns, rows, listed, len(problems), seen, wish, language, is_list, is_plain)


def _split_wish(text: str, language: Language) -> tuple[str, Sequence[tuple[str, str]]]:
    """What is asked for above and below the table, and the table's lines, each with its name."""
    said = [(_SAID.say(language, "line", number=number), line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    said = [(place, line) for place, line in said if line and not _RULER.fullmatch(line)]
    if len(said) > 1:
        said[:1] = _parted(*said[0])
    lines = [(place, plain(line).replace("、", ",")) for place, line in said]
    if len(lines) != 1:
        begin, end = _block([line for _, line in lines])
        wish = " ".join(line for _, line in (*said[:begin], *said[end:]))
        return wish.removesuffix(":").removesuffix("：").strip(), lines[begin:end]
    begin, end = _entries_in(lines[0][1])
    line, wish = lines[0][1][begin:end], f"{said[0][1][:begin].rstrip(' :：')} {said[0][1][end:].lstrip(' .。;,、，；?!')}"
    entries = _BETWEEN_ENTRIES.split(line)
    entries = entries if len(entries) > 1 else _pieces(line)
    entries = [entry.strip(" 。") for entry in entries]
    named = [(_SAID.say(language, "entry", number=number), entry) for number, entry in enumerate(entries, 1) if entry]
    return wish.strip(), [_Entry(*entry) for entry in named]


def _parted(place: str, first: str) -> list[tuple[str, str]]:
    """The first line of a table: as two if it begins with what is asked for, "Check this: name,price"."""
    head, colon, rest = plain(first).partition(":")
    if not rest.strip() or _NOT_IN_A_WISH.search(head) or not any(one in rest and one not in head for one in DELIMITERS):
        return [(place, first)]
    return [(place, first[: len(head)] + colon), (place, first[len(head) + 1 :].strip())]


def _pieces(line: str) -> list[str]:
    """What stands between commas, or between blanks; in Japanese and Chinese a comma may stand within a number."""
    if "," not in line:
        return line.split()
    return _COMMA.split(line) if any(map(is_cjk, line[:MAX_CELL])) else line.split(",")


def _block(lines: Sequence[str]) -> tuple[int, int]:
    """Where the table begins and ends among the lines of a message."""
    if delimiter := _delimiter(lines):
        cells = [_split(line, delimiter) if delimiter in line else [] for line in lines]
        width = Counter(len(row) for row in cells if row).most_common(1)[0][0]
        is_row = [
            bool(row) and (delimiter == "|" or not line.endswith(_ENDS)) and (len(row) == width or _holds_data(row))
            for line, row in zip(lines, cells, strict=True)
        ]
    else:
        found = [_entry(_BULLET.sub("", line, count=1)) for line in lines]
        is_row = [read_number(cells[2]) is not None or bool(cells[0] and any(cells[1:])) for cells in found]
    places = [place for place, is_one in enumerate(is_row) if is_one]
    return (places[0], places[-1] + 1) if places else (0, len(lines))


def _delimiter(lines: Sequence[str]) -> str | None:
    return next((d for d in DELIMITERS if sum(d in line for line in lines) * 2 >= max(len(lines), 3)), None)


def _holds_data(cells: Sequence[str]) -> bool:
    return any(not cell or read_number(cell) is not None for cell in cells)


def _entries_in(line: str) -> tuple[int, int]:
    """Where a list on one line begins and ends: after a colon, or words before bare numbers, up to a sentence."""
    first = next((place for place, letter in enumerate(line) if letter.isdigit()), 0)
    last = next((place for place in range(len(line) - 1, -1, -1) if line[place].isdigit()), len(line) - 1)
    after = next((place for place in range(last + 1, len(line)) if line[place] in ".。;,?!"), len(line))
    entries, begin = line[:after], 0
    head, colon, rest = line[:after].partition(":")
    if colon and ":" not in rest and not _NOT_IN_A_WISH.search(head):
        begin = len(head) + 1
    elif (
        first
        and line[first - 1] in " $€£¥+-"
        and all(read_number(piece) is not None for piece in _BETWEEN_NUMBERS.split(entries[first:]))
    ):
        begin = first - (line[first - 1] != " ")
    return begin, after


def _cells_of(lines: Sequence[tuple[str, str]], language: Language) -> tuple[list[str], list[Line], bool]:
    """The names of the columns, the rows, and whether they are entries of a list."""
    delimiter = _delimiter([line for _, line in lines])
    if delimiter is None or isinstance(lines[0], _Entry):
        return *_list_of(lines, language), True
    rows = [Line(place, _split(line, delimiter)) for place, line in lines]
    has_header = len(rows) > 1 and not any(read_number(cell) is not None for cell in rows[0].cells)
    if has_header:
        return (
            _names(rows[0].cells[:MAX_COLUMNS], language),
            [Line(place, cells[:MAX_COLUMNS]) for place, cells in rows[1:]],
            False,
        )
    width = min(Counter(len(row.cells) for row in rows).most_common(1)[0][0], MAX_COLUMNS)
    return _names([""] * width, language), [Line(place, cells[:MAX_COLUMNS]) for place, cells in rows], False


def _list_of(lines: Sequence[tuple[str, str]], language: Language) -> tuple[list[str], list[Line]]:
    """A list's entries as item, quantity and price, as far as most entries have them; else each as one value."""
    found = [(place, _entry(_BULLET.sub("", line, count=1))) for place, line in lines]
    usual = [sum(bool(cells[place]) for _, cells in found) * 2 >= len(found) for place in range(3)]
    if not usual[0]:
        return [_SAID.say(language, "value")], [Line(place, [_BULLET.sub("", line, count=1)]) for place, line in lines]
    names = [_SAID.say(language, key) for key in ("item", "quantity", "price" if usual[1] else "value")]
    kept = [place for place in range(3) if usual[place]]
    return [names[place] for place in kept], [Line(name, [cells[place] for place in kept]) for name, cells in found]


def _entry(text: str) -> tuple[str, str, str]:
    """Item, quantity and price (or another number) of an entry, "" for what it does not have."""
    if any(map(is_cjk, text[:MAX_CELL])) and len(text) <= 2 * MAX_CELL:
        return _cjk_entry(text)
    if read_number(text) is not None or (found := _ENTRY.fullmatch(text)) is None:
        return "", "", text
    return (
        found["item"] or found["named"],
        (found["quantity"] or "").removesuffix(" of"),
        found["price"] or found["value"] or found["last"] or "",
    )


def _word_at(text: str, at: int) -> str:
    """What follows a number: a character, with the one that makes "minutes" of it."""
    found = _WORD_AFTER.match(text, at)
    return found[0].strip() if found else ""


def _cjk_entry(text: str) -> tuple[str, str, str]:
    """The same for Japanese or Chinese: 蘋果3個 每個4元, りんご三個120円."""
    item, quantity, price, at = "", "", "", 0
    is_each = _EACH.search(text) is not None
    for number in numbers_in(text):
        money, sign = _MONEY.match(text, number.end), text[max(0, number.begin - 1) : number.begin]
        if money or (sign and mark_in(sign)):
            price = f"{number.value}{money[0].strip()}" if money else f"{sign}{number.value}"
        elif (number.counter or _word_at(text, number.end)) in _NO_COUNTS:
            return "", "", text
        elif number.counter and not quantity:
            quantity = str(number.value)
        elif not number.counter:
            price = price or str(number.value)
        item += f"{text[at : number.begin]} "
        at = money.end() if money else number.end
    if quantity and price and not is_each:
        return "", "", text
    return _FILL.sub(" ", f"{item}{text[at:]}").strip(), quantity, price


def _is_plain(header: Sequence[str], lines: Sequence[Line], numeric: Sequence[bool]) -> bool:
    """Whether lines of cells are rows throughout: no title below the names, no prose with commas, no odd line among them."""
    of_other_width = [line.cells for line in lines if len(line.cells) != len(header)]
    first = lines[0].cells
    is_under_names = (
        len(first) != len(header)
        or not any(numeric)
        or any(read_number(cell) is not None for cell, is_number in zip(first, numeric, strict=True) if is_number)
    )
    names = [len(name.split()) <= MOST_WORDS and not name.endswith(_ENDS) for name in header]
    return is_under_names and all(names) and all(len(cells) > 1 and _holds_data(cells) for cells in of_other_width)


def _split(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        line = line.strip("|")
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        cells = line.split(delimiter)
    return [cell.strip() for cell in cells]


def _names(cells: Sequence[str], language: Language) -> list[str]:
    """Names for columns, each once: the header's, and "column 2" where it has none."""
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        name = " ".join(cell.lower().split())[:MAX_CELL] or _SAID.say(language, "column", number=place)
        names.append(name if name not in names else f"{name} {place}")
    return names


def _is_numeric(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return sum(read_number(cell) is not None for cell in filled) * 2 > len(filled)


def _problems_in(
    line: Line, header: Sequence[str], numeric: Sequence[bool], currencies: Sequence[str], language: Language
) -> Iterator[str]:
    place = line.place
    if len(line.cells) != len(header):
        key = "one_cell" if len(line.cells) == 1 else "cells"
        yield _SAID.say(language, key, place=place, cells=len(line.cells), columns=len(header))
        return
    for name, cell, is_number, currency in zip(header, line.cells, numeric, currencies, strict=True):
        number = read_number(cell)
        if not cell:
            yield _SAID.say(language, "empty", place=place, name=name)
        elif is_number and number is None:
            yield _SAID.say(language, "no_number", place=place, name=name, cell=shortened(cell, MAX_CELL))
        elif is_number and number is not None and number < 0 and is_never_negative(name):
            yield _SAID.say(language, "negative", place=place, name=name, number=show_number(number))
        elif (mark := mark_in(cell)) and is_number and not are_same(mark, currency):
            yield _SAID.say(language, "other_currency", place=place, name=name, mark=mark, currency=currency)
        elif is_number and currency and not is_currency(currency) and not mark_in(name) and not mark:
            yield _SAID.say(language, "no_unit", place=place, name=name, currency=currency)


def _clean(cell: str, is_number: bool) -> str:
    number = read_number(cell) if is_number else None
    return shortened(cell, MAX_CELL) if number is None else show_number(number)
