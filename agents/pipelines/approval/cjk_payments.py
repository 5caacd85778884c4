"""Reads payments from a request in Japanese or Chinese: 田中さんに500ユーロ払って, 付給王先生500歐元."""

from __future__ import annotations

import re

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.negation import affirmed
from agents.models.simulated.language.numbers import Number, numbers_in
from agents.models.simulated.language.words import any_of
from agents.pipelines.approval.payments import MOST_PAYMENTS, MOST_READ, OTHER_CURRENCY, WORDS, PaymentRead, shortened

_JA, _ZH = WORDS["ja"], WORDS["zh"]
_EURO = re.compile(rf"\s?(?:€|euros?|eur|{any_of(WORDS['euros']['words'])})", re.IGNORECASE)
_OTHER = re.compile(rf"\s?(?:{OTHER_CURRENCY}|(?:{any_of(WORDS['others']['english'])})(?![a-z]))", re.IGNORECASE)
_NAME = r"[^\s,.;:!?。、「」『』をにへはがとで]"
_BEGIN = r"(?:(?<=[\s,.;:!?。、「」『』をにへはがとで])|\A)"
_JA_PAYEE = re.compile(rf"{_BEGIN}({_NAME}{{1,30}}?)(?:{any_of(_JA['honorifics'])})?(?:{any_of(_JA['after_payee'])})")
_JA_PURPOSE = re.compile(rf"{_BEGIN}({_NAME}{{1,30}}?)(?:{any_of(_JA['after_purpose'])})")
_ZH_NAME = r"[^\s,.;:!?。、，；：\d]"
_ZH_PAYEE = re.compile(
    rf"(?:{any_of(_ZH['before_payee'])})\s?({_ZH_NAME}{{1,30}}?)\s?(?=(?:{any_of(_ZH['after_payee'])})?\s?\Z)"
)
_ZH_PAYEE_AFTER = re.compile(
    rf"(?:{any_of(_ZH['before_payee'])})\s?({_ZH_NAME}{{1,30}}?)(?={any_of(_ZH['before_purpose'])}|[\s,.;:!?。、，；：\d]|\Z)"
)
_ZH_NEXT_PAYEE = re.compile(rf"(?:{any_of(_ZH['between'])})\s?({_ZH_NAME}{{1,30}}?)\s?\Z")
_ZH_PURPOSE = re.compile(rf"(?:{any_of(_ZH['before_purpose'])})({_ZH_NAME}{{1,30}})")
_MOST_AROUND = 80
"""Characters before and after an amount in which a payee and a purpose are looked for."""


def read_cjk_payments(request: str) -> list[PaymentRead]:
    """The payments in a request that name a payee and an amount of euros, in their order; signs and sizes unjudged."""
    text = affirmed(plain(request[:MOST_READ]))
    amounts = [(number, end) for number in numbers_in(text) if (end := _end_of_euros(text, number))]
    payments: list[PaymentRead] = []
    for place, (number, end) in enumerate(amounts[:MOST_PAYMENTS]):
        begin = max(amounts[place - 1][1] if place else 0, number.begin - _MOST_AROUND)
        until = amounts[place + 1][0].begin if place + 1 < len(amounts) else len(text)
        before, after = text[begin : number.begin].rstrip("€ "), text[end : min(until, end + _MOST_AROUND)]
        if payee := _payee(before, after):
            payments.append({"payee": payee, "amount": float(number.value), "purpose": _purpose(before, after)})
    return payments


def other_cjk_money(request: str) -> list[str]:
    """The amounts in a request that are in another currency, as they are written."""
    text = plain(request[:MOST_READ])
    amounts: list[str] = []
    for number in numbers_in(text):
        begin = number.begin - (text[max(0, number.begin - 1) : number.begin] in WORDS["others"]["signs"])
        found = _OTHER.match(text, number.end)
        if found or begin < number.begin or number.counter in WORDS["others"]["words"]:
            amounts.append(shortened(text[begin : found.end() if found else number.end]))
    return amounts[:MOST_PAYMENTS]


def _end_of_euros(text: str, number: Number) -> int | None:
    """Where an amount of euros ends, by the word behind its number or the sign in front of it; None if it is none."""
    if found := _EURO.match(text, number.end):
        return found.end()
    return number.end if text[max(0, number.begin - 1) : number.begin] == "€" else None


def _payee(before: str, after: str) -> str:
    """Whom an amount is for: in front of it, or behind it."""
    japanese = list(_JA_PAYEE.finditer(_JA_PURPOSE.sub(" ", before))) or list(_JA_PAYEE.finditer(after))
    found = (japanese[-1] if japanese else None) or _ZH_PAYEE.search(before) or _ZH_PAYEE_AFTER.search(after)
    found = found or _ZH_NEXT_PAYEE.search(before)
    return shortened(found[1]) if found else ""


def _purpose(before: str, after: str) -> str:
    found = _JA_PURPOSE.search(before) or _JA_PURPOSE.search(after) or _ZH_PURPOSE.search(after)
    return shortened(found[1]) if found else ""
