"""House rules: the form of answers of one kind. Reads the form of an answer, writes it as a sentence, and applies it.

"Write percentages with 1 decimal and a % sign." is such a sentence.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from agents.pipelines.ace.simulation.expressions.amounts import Amount, date_of
from agents.pipelines.ace.simulation.expressions.notations import written_date
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL
from agents.pipelines.ace.simulation.sentences.english import key_of

MONEY, PERCENTAGES, RATIOS, COUNTS = "money", "percentages", "ratios", "counts"
MEASUREMENTS, NUMBERS, DATES = "measurements", "numbers", "dates"
KINDS = (MONEY, PERCENTAGES, RATIOS, COUNTS, MEASUREMENTS, NUMBERS, DATES)
DATE_PATTERNS = ("YYYY-MM-DD", "DD.MM.YYYY", "D Month YYYY", "Month D, YYYY")

_USUAL_DECIMALS = 4
_MOST_DECIMALS = 9
_SMALLEST = Fraction(1, 10**30)

Sign = Literal["", "currency", "%", "unit"]
Place = Literal["front", "behind", "apart"]


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an amount.

    Attributes:
        decimals: Digits after the point; None for as many as needed, up to a limit.
        at_most: Whether zeros at the end are left out.
        separators: Whether thousands have commas; None if unknown.
        sign: The sign beside the number.
        place: Its place; "apart" is behind the number and a space.
        dates: The pattern of a date, one of `DATE_PATTERNS`; "" for other amounts.
    """

    decimals: int | None = None
    at_most: bool = False
    separators: bool | None = None
    sign: Sign = ""
    place: Place = "behind"
    dates: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A form for all answers of a kind, one of `KINDS`, or for those that ask for one name."""

    subject: str
    form: Form

    def fits(self, kind: str, name: str) -> bool:
        """Whether it is about answers of `kind` to questions that ask for `name`."""
        return self.subject == kind or (self.subject not in KINDS and key_of(self.subject) == key_of(name))


def written(amount: Amount, form: Form) -> str:
    """An amount in a form."""
    value, symbol = amount.value, amount.symbol
    if symbol == DATE_SYMBOL and (day := date_of(value)):
        return written_date(day, form.dates or "D Month YYYY")
    number = _number(value * 100 if symbol == "%" or form.sign == "%" else value, form)
    sign = {"": "", "%": "%", "unit": symbol, "currency": symbol if symbol in CURRENCIES else ""}[form.sign]
    if not sign:
        return number
    if form.place == "front":
        return f"-{sign}{number[1:]}" if number.startswith("-") else f"{sign}{number}"
    return f"{number} {sign}" if form.place == "apart" else f"{number}{sign}"


def form_of(amount: Amount) -> Form | None:
    """The form of a written amount, as far as it shows; None if no rule can express it."""
    if amount.symbol == DATE_SYMBOL:
        forms = [Form(dates=pattern) for pattern in DATE_PATTERNS]
    else:
        whole = amount.digits.partition(".")[0]
        is_large = abs(amount.value) * (100 if amount.symbol == "%" else 1) >= 1000  # noqa: PLR2004  the first separator
        separators = "," in whole if is_large else None
        sign: Sign = "currency" if amount.symbol in CURRENCIES else "%" if amount.symbol == "%" else "unit"
        form = Form(amount.decimals, separators=separators, sign=sign if amount.symbol else "")
        places: tuple[Place, ...] = ("behind", "apart", "front") if amount.symbol else ("behind",)
        forms = [replace(form, place=place) for place in places]
    return next((form for form in forms if written(amount, form) == amount.text), None)


def widened(form: Form, amount: Amount, text: str) -> Form | None:
    """A rule's form extended to give `text`; None if that contradicts the form."""
    for separators in (form.separators,) if form.separators is not None else (None, True, False):
        for at_most in (form.at_most, True):
            wider = replace(form, separators=separators, at_most=at_most)
            if written(amount, wider) == text:
                return wider
    return None


def kind_of(symbol: str, *, is_ratio: bool, counts: bool) -> str:
    """The kind of an answer, one of `KINDS`.

    Args:
        symbol: Its unit.
        is_ratio: Whether it results from a division.
        counts: Whether the question asks how many.
    """
    if symbol:
        known = {DATE_SYMBOL: DATES, "%": PERCENTAGES} | dict.fromkeys(CURRENCIES, MONEY)
        return known.get(symbol, MEASUREMENTS)
    return COUNTS if counts else RATIOS if is_ratio else NUMBERS


def _number(value: Fraction, form: Form) -> str:
    """A number in a form; half a unit of the last place goes away from zero."""
    decimals = form.decimals
    if decimals is None:  # as many significant digits for what is small
        decimals = _USUAL_DECIMALS + (max(0, -math.floor(math.log10(max(abs(value), _SMALLEST))) - 1) if value else 0)
    decimals = min(decimals, _MOST_DECIMALS)
    digits = f"{math.floor(abs(value) * 10**decimals + Fraction(1, 2)):0{decimals + 1}}"
    whole, rest = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    if form.decimals is None or form.at_most:
        rest = rest.rstrip("0")
    sign = "-" if value < 0 and digits.strip("0") else ""
    return f"{sign}{int(whole):{',' if form.separators else ''}}{'.' if rest else ''}{rest}"


# -- as sentences

_PLACES = {"front": "in front", "behind": "right behind", "apart": "behind a space"}
_NUMBERS = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4}
_SENTENCE = re.compile(
    r"(?:always )?(?:write|give|show|format|round|state|print) (?:the |a |an )?"
    r"(?P<subject>[^:;=]+?) (?=(?:with|as|to|in|without)\b)(?P<how>[^=;]+)",
    re.IGNORECASE,
)
_DECIMALS = re.compile(
    r"\b(up to |at most )?(\d|no|zero|one|two|three|four) decimals?\b|\bwithout decimals\b|\bwhole numbers?\b"
)
_SEPARATORS = re.compile(r"\b(no |without )?(?:thousands?|thousand) separators?\b")
_BESIDE = re.compile(
    r"(?P<sign>currency (?:sign|symbol)|(?:%|percent|per cent) sign|\bunits?\b)"
    r"(?P<place> in front| before| right behind| directly behind| (?:behind|after) a (?:space|blank))?"
)
_ALIASES = {
    **dict.fromkeys(("currency", "amounts of money", "prices"), MONEY),
    **dict.fromkeys(("percents", "percentage"), PERCENTAGES),
    "ratio": RATIOS,
    "count": COUNTS,
    "measurement": MEASUREMENTS,
    "number": NUMBERS,
    **dict.fromkeys(("date", "all dates"), DATES),
}


def write_rule(rule: Rule) -> str:
    """A rule as a sentence; `parse_rule` reads the same rule from it."""
    subject = rule.subject if rule.subject in KINDS else f"the {rule.subject}"
    form = rule.form
    if form.dates:
        return f"Write {subject} as {form.dates}."
    parts: list[str] = []
    if form.sign == "currency":
        parts.append(f"the currency sign {_PLACES[form.place]}")
    if form.separators is not None:
        parts.append("thousands separators" if form.separators else "no thousands separators")
    if form.decimals is not None:
        most = "up to " if form.at_most else ""
        parts.append(f"{most}{form.decimals or 'no'} decimal{'' if form.decimals == 1 else 's'}")
    if form.sign in ("%", "unit"):
        thing, usual = ("a % sign", "behind") if form.sign == "%" else ("the unit", "apart")
        parts.append(thing if form.place == usual else f"{thing} {_PLACES[form.place]}")
    *most_parts, last = parts or ["all decimals"]
    return f"Write {subject} with {', '.join(most_parts)}{' and ' if most_parts else ''}{last}."


def parse_rule(text: str) -> Rule | None:
    """Reads a rule from a sentence of `write_rule` or of a user; None if it is no rule."""
    found = _SENTENCE.fullmatch(" ".join(text.split()).rstrip("."))
    if found is None:
        return None
    subject = _ALIASES.get(found["subject"].lower(), found["subject"])
    subject = subject.lower() if subject.lower() in KINDS else subject
    for pattern in DATE_PATTERNS:
        if pattern in found["how"]:
            return Rule(subject, Form(dates=pattern))
    form = _form_said(found["how"].lower())
    return None if form is None else Rule(subject, form)


def _form_said(how: str) -> Form | None:
    form = Form()
    if found := _DECIMALS.search(how):
        said = found[2] or "no"
        form = replace(form, decimals=int(said) if said.isdigit() else _NUMBERS[said], at_most=bool(found[1]))
    if found := _SEPARATORS.search(how):
        form = replace(form, separators=not found[1])
    if found := _BESIDE.search(how):
        sign: Sign = "currency" if "currency" in found["sign"] else "unit" if "unit" in found["sign"] else "%"
        usual: dict[str, Place] = {"currency": "front", "unit": "apart", "%": "behind"}
        said = (found["place"] or "").split()
        place: Place = "front" if said[:1] in (["in"], ["before"]) else "apart" if "a" in said else "behind"
        form = replace(form, sign=sign, place=place if said else usual[sign])
    return form if form != Form() or "all decimals" in how else None
