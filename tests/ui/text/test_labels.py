"""Words and signs."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.text.labels import UNTITLED, ago, fork_words, plain, status_words, title_of
from ui.text.visible_text import visible_directions

NOW = time.mktime((2026, 6, 15, 12, 0, 0, 0, 0, -1))


CASES = json.loads((Path(__file__).parents[1] / "age_cases.json").read_text(encoding="utf-8"))
"""Seconds passed and their words; the list of sessions in the browser says the same."""


@pytest.mark.parametrize(("passed", "words"), CASES)
def test_how_long_ago(passed, words):
    assert ago(NOW - passed, now=NOW) == words


def test_a_status_is_a_sign_and_a_word():
    assert status_words("completed") == "✓ completed"
    assert status_words("frozen") == "· frozen"


def test_titles_are_one_line_of_limited_length():
    assert title_of("  a\n\n lighthouse\tkeeper ") == "a lighthouse keeper"
    assert title_of(" \n") == UNTITLED
    assert title_of("x" * 200, length=10) == "x" * 9 + "…"


@given(st.text())
def test_plain_text_loses_nothing_and_leaves_no_markdown(text):
    shown = plain(text)
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown)
    assert unescaped.replace("\u2060", "") == visible_directions(text).replace("\u2060", "")
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]<>$:#~|]", shown)


@pytest.mark.parametrize(
    "text", ["https://a.b/c", "see http://x.y.", "www.a.b", "WWW.a.b", "me@a.b", "mailto:me@a.b", "ftp://a.b"]
)
def test_no_part_of_a_plain_text_becomes_a_link_by_itself(text):
    unescaped = plain(text).replace("\\", "")
    assert not re.search(r"[a-z]://|www\.|\w@\w", unescaped, re.IGNORECASE)
    assert unescaped.replace("\u2060", "") == text


@pytest.mark.parametrize("text", [":material_home:", ":streamlit:", ":material/home:", "a :smile: b", ":+1:"])
def test_no_part_of_a_plain_text_becomes_an_icon_by_itself(text):
    """Streamlit looks for these in the text that is left when escapes are resolved."""
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text).replace(":material/", ":material_"))
    assert not re.search(r":material_\w+:|:streamlit:|:[\w+-]+:", unescaped)


@pytest.mark.parametrize("sign", [*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))])
def test_a_direction_override_in_a_plain_text_is_visible(sign):
    assert plain(f"a{sign}b") == f"a\\\\u{ord(sign):04x}b"


def test_a_fork_is_named_by_what_it_changed():
    assert [fork_words(""), fork_words("playbook off")] == ["fork, nothing changed", "fork: playbook off"]
    assert fork_words("model x", of="The\nlamp") == "fork of “The lamp”: model x"
    assert len(fork_words("x" * 1000, of="y" * 1000)) < 400
