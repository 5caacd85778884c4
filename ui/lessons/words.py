"""The words of the page around a lesson, in the languages that lessons have; a language without words has English ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from agents.lessons import ENGLISH
from ui.state import address
from ui.state.address import Address
from ui.state.quick_input import if_chosen, key_for
from ui.text.visible_text import visible_directions

_LANGUAGE = "lesson_language"
_SIGNS = str.maketrans(dict.fromkeys("`*[]<>$~|\\", " "))
_NAMES = {"en": "English", "ja": "日本語"}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "handout": "Handout",
        "notes": "Teacher's notes",
        "more": "More lessons",
        "csv": "Download what was done (CSV)",
        "easy": "easy",
        "medium": "medium",
        "hard": "hard",
        "all": "← All lessons",
        "hand_in": "Hand in",
        "selected": "Hand in the selected event",
        "choose": "Your answer",
        "hint": "Show a hint (−1 point)",
        "give_up": "Give up this step",
        "start": "▶ Start the run",
        "again": "Run it again",
        "next": "Next step →",
        "reset": "Start this lesson anew",
        "steps": "steps",
        "points": "points",
    },
    "ja": {
        "handout": "配布資料",
        "notes": "教師用メモ",
        "more": "その他のレッスン",
        "csv": "学習記録をダウンロード (CSV)",
        "easy": "やさしい",
        "medium": "ふつう",
        "hard": "むずかしい",
        "all": "← レッスン一覧",
        "hand_in": "答えを出す",
        "selected": "選んだイベントを出す",
        "choose": "あなたの答え",
        "hint": "ヒントを見る (−1点)",
        "give_up": "このステップをあきらめる",
        "start": "▶ 実行を始める",
        "again": "もう一度実行する",
        "next": "次のステップ →",
        "reset": "このレッスンを最初から",
        "steps": "ステップ",
        "points": "点",
    },
}


def of(name: str, here: Address) -> str:
    """A word in the language of the page."""
    return _WORDS.get(here.language or ENGLISH, _WORDS[ENGLISH])[name]


def label(text: str) -> str:
    """A text as the label of a field, which is also its name for a screen reader: without signs of Markdown, not escaped."""
    return visible_directions(text.translate(_SIGNS))


def progress(here: Address, over: int, steps: int, points: int, most: int) -> str:
    """How far a learner is in a lesson."""
    return f"{over}/{steps} {of('steps', here)} · {points}/{most} {of('points', here)}"


def choose_language(languages: list[str], here: Address) -> None:
    """Draws the choice of the language, where there is one."""
    if len(languages) > 1:
        shown = here.language if here.language in languages else ENGLISH
        names = {one: _NAMES.get(one, one) for one in languages}
        st.selectbox(
            "Language",
            languages,
            key=key_for(_LANGUAGE, shown),
            format_func=names.__getitem__,
            label_visibility="collapsed",
            width=130,
            on_change=_take_language,
            args=(_LANGUAGE,),
        )


@if_chosen
def _take_language(language: str) -> None:
    here = address.of_playground()
    address.go(replace(here, language=None if language == ENGLISH else language))
