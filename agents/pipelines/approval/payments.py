"""Reads payments from a request: amounts in euros, whom they go to and what they are for."""

from __future__ import annotations

import re
from typing import Any, TypedDict

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.negation import negated_spans
from agents.models.simulated.language.words import any_of, words_beside

MOST_READ = 4_000
MOST_PAYMENTS = 8
MOST_LETTERS = 80

_NUMBER = r"(?<![\d.,])[-−]?(?:\d{1,3}(?:\s\d{3}){1,9}|\d{1,30})(?:[.,]\d{1,30}){0,9}(?:k\b|(?!\d))"
_EURO = r"(?:€|\beuros?\b|\beur\b)"
WORDS: dict[str, dict[str, Any]] = words_beside(__file__)
OTHER_CURRENCY = rf"(?:{any_of([*WORDS['others']['signs'], *WORDS['others']['words']])})"
_OTHER = rf"(?:{OTHER_CURRENCY}|\b(?:{any_of(WORDS['others']['english'])})\b)"
_MONEY = re.compile(
    rf"{_EURO}\s*+(?P<behind>{_NUMBER})|(?P<before>{_NUMBER})\s*+{_EURO}"
    rf"|(?P<other>(?:\b[a-z]{{1,3}})?{_OTHER}\s*+{_NUMBER}|{_NUMBER}\s*+(?:(?:us|canadian|australian|swiss)\s)?{_OTHER})",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_OTHER_WORD = re.compile(_OTHER, re.IGNORECASE)
_VERB = r"\b(?:pay|send|transfer|give|wire|refund|reimburse)\b"
_PLAIN = re.compile(rf"{_VERB}(?:(?!\bfor\b)[^.;!?\d−-]){{0,60}}?({_NUMBER})(?!(?:[^\W\d]|[.,])*+\d)", re.IGNORECASE)
_UNIT = re.compile(
    r"\s?+(?!(?:to|for|by|on|at|and|as|because|today|tomorrow|now|please|each|the|my|our|this)\b)[^\W\d_]", re.IGNORECASE
)
"""A word behind a number that may say what it counts: "12 apples", "12 pesetas"."""
_STOP = r"\s++(?:for|as|because|by|on|and|but|which|who|this|it|is|today|tomorrow|now|please)\b"
_NAME = rf"(?:(?:dr|mrs?|ms|prof|st)\.[^\S\n])?\S[^\s.,;:!?]*+(?:(?!{_STOP})[^\S\n]++[^\s.,;:!?]++){{0,15}}+"
"""Words up to a mark, the end of the line, or one of those that no name goes on with."""
_TO = re.compile(rf"\bto\s++(?:pay\s++)?({_NAME})(?={_STOP}|[^\S\n]*+[.,;:!?\n]|\s*+$)", re.IGNORECASE)
_AFTER_VERB = re.compile(rf"{_VERB}\s++(?:to\s++)?(\S[^\n]{{0,214}}+)\s*+$", re.IGNORECASE)
_BEFORE_AMOUNT = (",", "the sum of", "an amount of")
_BETWEEN = re.compile(r"[,;.]|\band\b", re.IGNORECASE)
_FOR = re.compile(r"\bfor\s++(?=\S)", re.IGNORECASE)
_FOR_END = re.compile(r"(?<!\s)\s++(?:to|and|but|because|please)\b|[.,;:!?\n]|(?<!\s)\s*+$", re.IGNORECASE)


class PaymentRead(TypedDict):
    """A payment as it was found in a text."""

    payee: str
    amount: float
    purpose: str


def read_payments(request: str) -> list[PaymentRead]:
    """The payments in a request that name a payee and an amount of euros, in their order; signs and sizes unjudged.

    A number alone is an amount of euros where the request names no currency.
    """
    text = plain(request[:MOST_READ])
    found = list(_MONEY.finditer(text))
    if not found and not _OTHER_WORD.search(text):
        found = [match for match in _PLAIN.finditer(text) if not _UNIT.match(text, match.end())]
    payments: list[PaymentRead] = []
    negated = negated_spans(text)
    for place, match in enumerate(found[:MOST_PAYMENTS]):
        amount = match[1] or (match.re is _MONEY and match["before"])
        if not amount or any(opened <= match.start() < closed for opened, closed in negated):
            continue
        begin, end = match.start(1) if match.re is _PLAIN else match.start(), match.end()
        before = text[found[place - 1].end() if place else 0 : begin]
        after = text[end : found[place + 1].start() if place + 1 < len(found) else len(text)]
        *others, nearest = _BETWEEN.split(before) if place else [before]
        if payee := _payee(nearest, after, follows=bool(others)):
            payments.append({"payee": payee, "amount": amount_of(amount), "purpose": _purpose(after)})
    return payments


def other_money(request: str) -> list[str]:
    """The amounts in a request that are not in euros, as they are written; or the currency that it names without one."""
    text = plain(request[:MOST_READ])
    found = [match["other"] for match in _MONEY.finditer(text)]
    named = _OTHER_WORD.search(text) if _DIGIT.search(text) else None
    amounts = [amount for amount in found if amount] or ([named[0]] if named and not found else [])
    return [shortened(amount) for amount in amounts[:MOST_PAYMENTS]]


def amount_of(text: str) -> float:
    """A number as it is written: "1,200.50", "1.200,50", "1 200", "2k"."""
    digits = "".join(text.split()).replace("−", "-").lower()
    factor = 1000 if digits.endswith("k") else 1
    digits = digits.removesuffix("k")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0 and (len(digits) - last - 1 != 3 or digits[:last].lstrip("-") == "0"):  # noqa: PLR2004  not thousands
        whole = _without_marks(digits[:last])
        return round(float(f"{whole or '0'}.{digits[last + 1 :]}") * factor, 2)
    return round(float(_without_marks(digits)) * factor, 2)


def _without_marks(digits: str) -> str:
    return digits.replace(".", "").replace(",", "")


def _payee(before: str, after: str, *, follows: bool) -> str:
    found = _TO.search(after) or _AFTER_VERB.search(before) or _TO.search(before)
    given = "" if found is None else _without_amount(found[1]) if found.re is _AFTER_VERB else found[1]
    name = shortened(before)
    is_name = follows and (name[:1].isupper() or name.startswith(("the ", "my ", "our ")))
    payee = shortened(given) if found else name if is_name else ""
    return "" if payee in ("the", "a", "an", "me", "it", "them", "him", "her", "of", "us") else payee


def _without_amount(text: str) -> str:
    """A payee without the words that lead to the amount: "Ann the sum of" is Ann."""
    text = text.rstrip()
    end = next((words for words in _BEFORE_AMOUNT if text.lower().endswith(words)), "")
    return text[: len(text) - len(end)].rstrip() or text


def _purpose(after: str) -> str:
    if (found := _FOR.search(after)) is None:
        return ""
    end = _FOR_END.search(after, found.end() + 1)
    return shortened(after[found.end() : end.start() if end else None])


def shortened(text: str) -> str:
    """A name or a purpose on one line, cut where it is very long."""
    line = " ".join(text.split()).strip("\"'“”`")
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1].rstrip()}…"
