from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.simulated.language.detect import LANGUAGES, answer_language, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where is my order?", "en"),
        ("coffee", "en"),
        ("4712", "en"),
        ("🍌🍌🍌", "en"),
        ("?!…", "en"),
        ("", "en"),
        ("A café in Göttingen is open", "en"),
        ("Please translate 東京 for me and tell me what it means", "en"),
        ("バナナ", "ja"),
        ("ﾊﾞﾅﾅ 3", "ja"),
        ("請求書が届きません", "ja"),
        ("単価", "ja"),
        ("五本", "ja"),
        ("８本", "ja"),
        ("品名,数量,金額", "ja"),
        ("返金希望", "ja"),
        ("3d6を振って", "ja"),
        ("我的包裹还没到", "zh"),
        ("八根香蕉", "zh"),
        ("退款", "zh"),
        ("单价,数量", "zh"),
        ("我無法登入", "zh-Hant"),
        ("我的付款失敗", "zh-Hant"),
        ("單價、數量", "zh-Hant"),
        ("我要三本書", "zh-Hant"),
        ("Где мой заказ?", None),
        ("바나나 일곱 개", None),
        ("أين طلبي", None),
        ("zwölf Bananen", None),
        ("Wo ist meine Bestellung und wann kommt sie an?", None),
        ("¿Dónde está mi pedido?", None),
    ],
)
def test_the_language_of_a_text(text, language):
    assert language_of(text) == language
    assert answer_language(text) == (language or "en")


@given(st.text(max_size=200))
def test_any_text_has_a_language_or_none(text):
    assert language_of(text) in (*LANGUAGES, None)
