"""Forms: what two examples teach whose answers are a value of the question in another notation.

    Dates are written 2025-03-14.
    Amounts in € are written 1.234,50 EUR.

A form is used for a question that has one such value, and besides asks only how it is written, or only says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.detect import LANGUAGES, answer_language
from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.expressions.notations import (
    DIGITS_ONLY,
    example_of,
    notations_of,
    noted,
    read_number,
    read_time,
    without_order,
)
from agents.pipelines.ace.simulation.expressions.slots import is_date, tokens_of
from agents.pipelines.ace.simulation.expressions.units import symbol_of_name
from agents.pipelines.ace.simulation.lessons.shape import plain_question
from agents.pipelines.ace.simulation.lessons.shape_search import Row
from agents.pipelines.ace.simulation.lessons.similarity import meaning_of, said_in
from agents.pipelines.ace.simulation.lessons.transforms import localised, named

_DATA = words_beside(__file__, "forms.toml")
_SAID: Mapping[str, Sequence[str]] = _DATA["said"]
_WRITING = frozenset(word for one in _DATA["words"]["writing"].split() for word in said_in(one))
_WRITING_UNSPACED = re.compile(
    "|".join(sorted((one for one in _DATA["words"]["writing"].split() if is_cjk(one[0])), key=len, reverse=True))
)
_TIME = re.compile(
    r"(?<![\d.,])(?:午前|午後|上午|下午)?\d{1,2}(?:[:h時点點][0-5]\d分?)?(?![\d.,]?\d)(?:\s?(?:[ap]\.?m\.?(?!\w)|uhr))?",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:([€$£¥]|[A-Z]{3})\s?)?(-?\d[\d.,' ]*\d|\d)(?:\s?([€$£¥%]|[^\W\d_]+))?")
_ORDER = re.compile(r" ?[(（]([^()（）]{1,30})[)）]$")
_LONGEST = 300
_MOST_LABEL_WORDS = 4


class ValueForm(NamedTuple):
    """How values of a kind are written.

    Attributes:
        kind: "date", "time", "number" or "amount".
        unit: What an amount is counted in; "" for the other kinds.
        before: The text before the value.
        pattern: The pattern of the value.
        after: The text after it.
    """

    kind: str
    unit: str
    before: str
    pattern: str
    after: str

    def write(self, value: str) -> str | None:
        """A value in this form; None if it cannot be written so."""
        written = noted(value, self.pattern)
        return f"{self.before}{written}{self.after}" if written else None


class _Value(NamedTuple):
    """The only value in a text: its kind and unit, its number or date, and the text around that and around the unit."""

    kind: str
    unit: str
    text: str
    before: str
    after: str
    around: tuple[str, str]


def write_by(form: ValueForm, question: str) -> str | None:
    """The answer to a question that asks for its value in a form; None if it may ask for anything else."""
    value = _value_in(plain_question(question))
    if value is None or (value.kind, value.unit) != (form.kind, form.unit) or not _only_asks_to_write(*value.around):
        return None
    return form.write(value.text)


def find_form(rows: Sequence[Row]) -> ValueForm | None:
    """The form of the answers to two questions or more; None if they are not the questions' values in one notation."""
    values = [_value_in(plain_question(question)) for question, _ in rows]
    known = [value for value in values if value is not None]
    if len(known) < len(rows) or len({(value.kind, value.unit) for value in known}) > 1:
        return None
    if len({answer for _, answer in rows}) < len(rows) or all(answer in question for question, answer in rows):
        return None
    for pattern, _ in sorted(notations_of([value.text for value in known]), key=lambda pair: pair[1]):
        form = _form(known[0], pattern, rows[0][1])
        if form and all(form.write(value.text) == answer for value, (_, answer) in zip(known, rows, strict=True)):
            return form if read_form(write_form(form)) == form else None
    return None


def example_row(form: ValueForm) -> Row:
    """A question and its answer that a form is right for, as it is known before any further example."""
    value = {"date": "14 March 2025", "time": "14:30"}.get(form.kind, f"1234.5 {form.unit}".strip())
    value = value if form.write(value) else value.replace("1234.5", "1234")
    return value, form.write(value) or ""


def contradicted(form: ValueForm, rows: Iterable[Row]) -> bool:
    """Whether a form gives the answers of fewer than two thirds of the rows that it would be used for."""
    given = [(made, answer) for question, answer in rows if (made := write_by(form, question)) is not None]
    return 3 * sum(made == answer for made, answer in given) < 2 * len(given)


def is_same_but_for_order(one: ValueForm, other: ValueForm) -> bool:
    """Whether two forms differ at most in how they read 3/4/2025."""
    return one == other._replace(pattern=without_order(other.pattern)[0] + without_order(one.pattern)[1])


def read_form(text: str) -> ValueForm | None:
    """The form in a bullet's text; None if it is none."""
    said = text.strip().rstrip(".。")
    order = found[1] if (found := _ORDER.search(said)) else ""
    said = said[: found.start()] if found else said
    for kind, sentences in _SAID.items():
        for sentence in sentences:
            begin, _, end = sentence.partition("{example}")
            unit, joint, rest = said.partition(begin.partition("{unit}")[2]) if kind == "amount" else ("", "", "")
            example = (rest if joint else said).removeprefix(begin)
            if said.startswith(begin.partition("{unit}")[0]) and example.endswith(end) and example != said:
                return _form_shown(kind, unit.removeprefix(begin.partition("{unit}")[0]), example.removesuffix(end), order)
    return None


def write_form(form: ValueForm, question: str = "") -> str:
    """A form as a bullet's text, in the language of a question."""
    language = answer_language(question)
    pattern, order = without_order(form.pattern)
    example = f"{form.before}{example_of(pattern)}{form.after}"
    said = _SAID[form.kind][LANGUAGES.index(language)].format_map({"example": example, "unit": form.unit})
    read_so = f" ({localised(order.removeprefix(', '), language)})" if order else ""
    return f"{said}{read_so}{'.' if language == 'en' else '。'}"


def _form_shown(kind: str, unit: str, example: str, order: str) -> ValueForm | None:
    """The form that an example shows."""
    for pattern in DIGITS_ONLY.get(kind, ()):
        before, shown, after = example.partition(example_of(pattern))
        if shown and not any(map(str.isdigit, before + after)):
            return ValueForm(kind, "", before, pattern, after)
    value = _value_in(example)
    if value is None or value.kind != kind or value.unit != unit:
        return None
    for pattern, _ in notations_of([value.text]):
        if noted(value.text, pattern) == value.text and value.after.startswith("…") == pattern.endswith("…"):
            shown = without_order(pattern)[0] + (f", {named(order)}" if order else "")
            return ValueForm(kind, unit, value.before, shown, value.after.removeprefix("…"))
    return None


def _form(value: _Value, pattern: str, answer: str) -> ValueForm | None:
    written = noted(value.text, pattern)
    before, found, after = answer.partition(written) if written else ("", "", "")
    return ValueForm(value.kind, value.unit, before, pattern, after) if found else None


@lru_cache(maxsize=1024)
def _value_in(text: str) -> _Value | None:
    """The only value in a text; None if there is none, or any other number."""
    written = text[:_LONGEST]
    text = plain(written)
    spans = [(token.begin, token.end) for token in tokens_of(text) if is_date(token.text)]
    if len(spans) == 1:
        return _alone("date", "", written, spans[0], spans[0])
    times = [found.span() for found in _TIME.finditer(text) if read_time(found[0])]
    if len(times) == 1:
        return _alone("time", "", written, times[0], times[0])
    found = _AMOUNT.search(text)
    if found is None or read_number(found[2]) is None:
        return None
    before, after = symbol_of_name(found[1] or ""), symbol_of_name(found[3] or "")
    begin, end = found.start() if before else found.start(2), found.end() if after else found.end(2)
    unit = before or after
    return _alone("amount" if unit else "number", unit, written, found.span(2), (begin, end))


def _alone(kind: str, unit: str, text: str, span: tuple[int, int], whole: tuple[int, int]) -> _Value | None:
    around = text[: whole[0]], text[whole[1] :]
    if any(map(str.isdigit, "".join(around))):
        return None
    return _Value(kind, unit, text[span[0] : span[1]], text[: span[0]], text[span[1] :], around)


def _only_asks_to_write(before: str, after: str) -> bool:
    """Whether the text around a value only asks how it is written, or only says what it is, as "Invoice date:" does."""
    label = before.strip().rstrip(":：")
    if label != before.strip() and not after.strip(" .?!") and len(label.split()) <= _MOST_LABEL_WORDS:
        return True
    around = f"{before} {after}"
    rest = _WRITING_UNSPACED.sub(" ", around)
    told, said = said_in(rest), meaning_of(around)
    return not said.is_negated and told <= _WRITING and (bool(told) or rest != around or not said.all_words)
