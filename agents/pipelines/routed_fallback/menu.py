"""What the bakery sells, and how an order is read from a message."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from agents.pipelines.language.characters import plain
from agents.pipelines.language.things import pattern_of, things_in

PRICES = {
    "loaf of rye": Decimal("4.20"),
    "roll": Decimal("0.60"),
    "pretzel": Decimal("1.10"),
    "croissant": Decimal("1.90"),
    "cinnamon bun": Decimal("2.80"),
    "coffee": Decimal("2.50"),
    "tea": Decimal("2.20"),
}
"""Item → price of one."""

MOST_OF_ONE = 99

_OTHER_NAMES = {
    "loaf of rye": r"loa(?:f|ves)(?: of (?:rye(?: bread)?|bread))?|(?:rye )?breads?",
    "roll": r"(?:bread )?rolls?",
    "pretzel": r"pretzels?",
    "croissant": r"croissants?",
    "cinnamon bun": r"(?:cinnamon )?buns?",
    "coffee": r"(?:cups? of )?coffees?",
    "tea": r"(?:cups? of )?teas?",
}
_SPOKEN = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: number for number, word in enumerate(_SPOKEN.split(), 1)} | {
    "a": 1,
    "an": 1,
    "half a dozen": 6,
    "a dozen": 12,
    "a couple of": 2,
}
_COUNT = "|".join([r"\d++", *sorted(_NUMBERS, key=len, reverse=True)])
_ITEM = "|".join(f"(?P<{name.replace(' ', '_')}>{names})" for name, names in _OTHER_NAMES.items())
_ORDERED = re.compile(rf"(?:(?<![\w.,-])(?P<count>{_COUNT})\s++(?:\w++\s++)?)?\b(?:{_ITEM})\b", re.IGNORECASE)
_REFUSED = re.compile(
    rf"\b(?:no|without|not|instead of)\s++(?:any\s++|an?\s++)?(?:{_ITEM.replace('?P<', '?P<no_')})\b", re.IGNORECASE
)
_CJK_NAMES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
_CJK_ITEM = re.compile(pattern_of(_CJK_NAMES))


def read_order(message: str) -> dict[str, int]:
    """Item → how many a message orders, one where it names no number; {} if it orders nothing that there is."""
    message = plain(message)
    ordered = _read_cjk(message)
    for found in _ORDERED.finditer(_REFUSED.sub(" ", message)):
        item = next(name for name in PRICES if found[name.replace(" ", "_")])
        said = (found["count"] or "one").lower()
        count = _NUMBERS[said] if said in _NUMBERS else int(said[:4])
        ordered[item] = min(ordered.get(item, 0) + count, MOST_OF_ONE)
    return {item: count for item, count in ordered.items() if count}


def _read_cjk(message: str) -> dict[str, int]:
    """What is ordered by Japanese or Chinese names; whole numbers only, and nothing below one."""
    ordered: dict[str, int] = {}
    for thing in things_in(message, list(_CJK_NAMES), _CJK_ITEM):
        count = 1 if thing.count is None else thing.count
        if count % 1 == 0 and count > 0:
            ordered[thing.name] = min(ordered.get(thing.name, 0) + int(min(count, MOST_OF_ONE)), MOST_OF_ONE)
    return ordered


def price_list() -> str:
    """What there is, one line for each."""
    return "\n".join(f"- {item}: {price}" for item, price in PRICES.items())


def total(ordered: Mapping[str, int]) -> str:
    """What an order costs."""
    return str(sum((PRICES[item] * count for item, count in ordered.items()), Decimal("0.00")))
