"""Text from outside in a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.text.visible_text import json_line, safe_json, visible, visible_line

HIDING = [
    *(0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F, 0x061C),
    *(0x200B, 0x2060, 0xFEFF, 0x00AD, 0x2028, 0x2029, 0xD800, 0xDFFF, 0xE0001, 0xE0041, 0xE007F, 0x3164),
]


@pytest.mark.parametrize("code", HIDING, ids=hex)
def test_what_reorders_or_hides_text_is_made_visible(code):
    shown = visible(f"a{chr(code)}b")
    assert shown == (f"a\\u{code:04x}b" if code <= 0xFFFF else f"a\\U{code:08x}b")


@pytest.mark.parametrize("code", [*(c for c in range(32) if chr(c) not in "\n\t"), *range(127, 160)], ids=hex)
def test_what_commands_a_terminal_is_made_visible(code):
    assert unicodedata.category(visible(chr(code)) or " ") not in {"Cc", "Cf"}


@pytest.mark.parametrize(
    "text", ["שלום עולם", "مرحبا", "می\u200cخواهم", "👩\u200d💻 ❤\ufe0f", "a\n\tb", "é e\u0301", "葛\U000e0100"]
)
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


def test_on_one_line_there_is_one_line():
    assert visible_line("a\u2028b\x85c\r\n  d\x0be\u202e") == "a b c d e\\u202e"


@given(st.text(st.characters(exclude_categories=())))
def test_json_has_the_same_value_and_nothing_to_be_made_visible(text):
    line = json_line({"text": text})
    assert json.loads(line) == {"text": text}
    assert visible(line) == line
    assert json.loads(safe_json(json.dumps([text], ensure_ascii=False))) == [text]
    line.encode()
