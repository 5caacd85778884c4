"""Reads payments from a request: amounts in euros, whom they go to and what they are for."""

from __future__ import annotations

import re
from typing import TypedDict

MOST_READ = 4_000
MOST_PAYMENTS = 8
MOST_LETTERS = 80

_NUMBER = r"(?<![\d.,])[-−]?(?:\d{1,3}(?:\s\d{3}){1,9}|\d{1,30})(?:[.,]\d{1,30}){0,9}(?:k\b|(?!\d))"
_EURO = r"(?:€|\beuros?\b|\beur\b)"
_OTHER = r"(?:\$|£|¥|\b(?:dollars?|usd|pounds?|gbp|yen|jpy|francs?|chf|crowns?|bitcoins?|cents?)\b)"
_IN_EUROS = re.compile(rf"{_EURO}\s*+({_NUMBER})|({_NUMBER})\s*+{_EURO}", re.IGNORECASE)
_OTHER_MONEY = re.compile(rf"{_OTHER}\s*+{_NUMBER}|{_NUMBER}\s*+{_OTHER}", re.IGNORECASE)
_VERB = r"\b(?:pay|send|transfer|give|wire|refund|reimburse)\b"
_PLAIN = re.compile(rf"{_VERB}(?:(?!\bfor\b)[^.;!?\d−-]){{0,60}}?({_NUMBER})(?!(?:[^\W\d]|[.,])*+\d)", re.IGNORECASE)
_STOP = r"\s++(?:for|as|because|by|on|and|but|which|who|this|it|is|today|tomorrow|now|please)\b"
_NAME = rf"\S[^\s.,;:!?]*+(?:(?!{_STOP})[^\S\n]++[^\s.,;:!?]++){{0,15}}+"
"""Words up to a mark, the end of the line, or one of those that no name goes on with."""
_TO = re.compile(rf"\bto\s++(?:pay\s++)?({_NAME})(?={_STOP}|[^\S\n]*+[.,;:!?\n]|\s*+$)", re.IGNORECASE)
_AFTER_VERB = re.compile(
    rf"{_VERB}\s++(?:to\s++)?(\S[^\n]{{0,199}}?)(?<!\s)\s*+(?:(?:,|the sum of|an amount of)\s*+)?$", re.IGNORECASE
)
_FOR = re.compile(
    r"\bfor\s++(\S[^\n]{0,199}?)(?=(?<!\s)\s++(?:to|and|but|because|please)\b|[.;:!?\n]|,|(?<!\s)\s*+$)",
    re.IGNORECASE,
)


class PaymentRead(TypedDict):
    """A payment as it was found in a text."""

    payee: str
    amount: float
    purpose: str


def read_payments(request: str) -> list[PaymentRead]:
    """The payments in a request that name a payee and an amount of euros, in their order; signs and sizes unjudged."""
    text = request[:MOST_READ]
    found = list(_IN_EUROS.finditer(text)) or ([] if _OTHER_MONEY.search(text) else list(_PLAIN.finditer(text)))
    payments: list[PaymentRead] = []
    for place, match in enumerate(found[:MOST_PAYMENTS]):
        group = next(group for group in range(1, len(match.groups()) + 1) if match[group])
        begin, end = match.start(group) if match.re is _PLAIN else match.start(), match.end()
        before = text[found[place - 1].end() if place else 0 : begin]
        after = text[end : found[place + 1].start() if place + 1 < len(found) else len(text)]
        payee = _payee(before, after)
        if payee:
            payments.append({"payee": payee, "amount": amount_of(match[group]), "purpose": _purpose(after)})
    return payments


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


def _payee(before: str, after: str) -> str:
    found = _TO.search(after) or _AFTER_VERB.search(before) or _TO.search(before)
    payee = shortened(found[1]) if found else ""
    return "" if payee in ("the", "a", "an", "me", "it", "them", "him", "her", "of", "us") else payee


def _purpose(after: str) -> str:
    found = _FOR.search(after)
    return shortened(found[1]) if found else ""


def shortened(text: str) -> str:
    """A name or a purpose on one line, cut where it is very long."""
    line = " ".join(text.split()).strip("\"'“”`")
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1].rstrip()}…"
