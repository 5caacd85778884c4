from __future__ import annotations

import pytest

from agents.storage.given_file import decoded


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("naïve, “größer” – 5 €", "utf-8"),
        ("naïve, “größer” – 5 €", "utf-8-sig"),
        ("naïve, “größer” – 5 €", "utf-16"),
        ("naïve, “größer” – 5 €", "cp1252"),
        ("à", "cp1252"),
        ("日本語", "utf-8"),
        ("", "utf-8"),
    ],
)
def test_texts_of_editors_and_spreadsheets_are_read(text, encoding):
    assert decoded(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("почему так?", "cp1251"),
        ("γιατί;", "cp1253"),
        ("なぜですか。", "shift_jis"),
        ("请问这是为什么?", "gbk"),
        ("왜요", "euc-kr"),
    ],
)
def test_other_encodings_are_not_taken_for_it(text, encoding):
    with pytest.raises(UnicodeDecodeError):
        decoded(text.encode(encoding))


def test_utf_16_that_was_cut_is_refused():
    with pytest.raises(UnicodeDecodeError):
        decoded("ab".encode("utf-16")[:-1])
