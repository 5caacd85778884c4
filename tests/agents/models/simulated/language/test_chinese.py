from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.models.simulated.language.chinese import in_simplified, simplified, with_simplified
from agents.models.simulated.language.words import words_beside

_SIMPLIFIED_ONLY = "gb2312"


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)
    elif isinstance(value, str):
        yield value


def traditional_in(value: Any) -> Iterator[str]:
    """All texts under "zh-Hant"."""
    if isinstance(value, dict):
        yield from texts_in(value.get("zh-Hant", []))
        for one in value.values():
            yield from traditional_in(one)


FILES = {
    "/".join(path.parts[-2:]): texts
    for path in sorted(Path(__file__).parents[5].glob("agents/**/*.toml"))
    if (data := words_beside(str(path), path.name))
    and (texts := [*(texts_in(data) if path.stem == "zh-Hant" else traditional_in(data))])
}


def test_words_and_characters_are_those_of_simplified_chinese():
    assert simplified("請把檔案寫到資料庫，然後說「完成」。") == "请把文件写到数据库，然后说“完成”。"


def test_simplified_tables_are_made_of_traditional_ones_except_for_values_of_their_own():
    data = {"zh-Hant": {"a": "檔案", "b": "說"}, "zh": {"b": "讲"}, "inner": {"zh-Hant": ["開"], "en": 1}}

    made = with_simplified(data)

    assert made["zh"] == {"a": "文件", "b": "讲"}
    assert made["inner"] == {"zh-Hant": ["開"], "zh": ["开"], "en": 1}
    assert "zh" not in data["inner"]


@pytest.mark.parametrize("file", FILES)
def test_no_traditional_character_is_left(file: str):
    signs = {sign for text in FILES[file] for sign in in_simplified(text) if "\u3400" <= sign <= "\u9fff"}

    assert {sign for sign in signs if not sign.encode(_SIMPLIFIED_ONLY, "ignore")} == set()
