"""Writes traditional Chinese in simplified characters, so that data files have each sentence once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, cast

_DATA = tomllib.loads(Path(__file__).with_name("chinese.toml").read_text(encoding="utf-8"))
SIMPLIFIED = str.maketrans(_DATA["traditional"], _DATA["simplified"])
"""Traditional character → simplified one, for `str.translate`."""
_WORDS: dict[str, str] = dict(pair.split("=") for pair in _DATA["words"].split())
_WORD = re.compile("|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True)))


def simplified(text: str) -> str:
    """A text in traditional Chinese as it is written in simplified characters, with the words that are used with them."""
    return _WORD.sub(lambda word: _WORDS[word[0]], text).translate(SIMPLIFIED)


def with_simplified(data: dict[str, Any]) -> dict[str, Any]:
    """Tables in which what stands under "zh-Hant" stands under "zh", too, except where that has a value of its own."""
    tables = {key: with_simplified(cast("Any", value)) if isinstance(value, dict) else value for key, value in data.items()}
    if "zh-Hant" in tables:
        tables["zh"] = _beside(in_simplified(tables["zh-Hant"]), tables.get("zh"))
    return tables


def in_simplified(value: Any) -> Any:
    """Tables, lists and texts in simplified characters; keys stay."""
    match value:
        case str():
            return simplified(value)
        case dict():
            return {key: in_simplified(one) for key, one in cast("dict[str, Any]", value).items()}
        case list():
            return [in_simplified(one) for one in cast("list[Any]", value)]
        case _:
            return value


def _beside(derived: Any, own: Any) -> Any:
    """What was derived, with own values in place of some."""
    if own is None:
        return derived
    known, more = cast("dict[str, Any]", derived), cast("dict[str, Any]", own)
    if not isinstance(derived, dict) or not isinstance(own, dict):
        return more
    return {**known, **{key: _beside(known.get(key), value) for key, value in more.items()}}
