"""Tables as people paste and upload them: columns, rows, and what cannot be read."""

from __future__ import annotations

import json

import pytest

from agents import DataSetError
from ui.playground.teaching.given_table import MOST_BYTES, MOST_CHARACTERS, MOST_ROWS, Row, read_table, rows_of

LAMPS, BIKES = "How long can lamps be returned?", "Who repairs bicycles, and where?"
BOTH = [(LAMPS, "30 days"), (BIKES, "Workshop 4")]


def read(content, **more):
    """Columns, whether the first row names them, and the rows of the columns that are proposed."""
    table = read_table(content if isinstance(content, bytes) else content.encode(), **more)
    found = rows_of(table, table.question, table.answer)
    return table, found


def pairs(found):
    return [(row.question, row.answer) for row in found.rows]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (f"Question\tRight answer\n{LAMPS}\t30 days\n{BIKES}\tWorkshop 4", [2, 3]),
        (f"Question;Right answer\r\n{LAMPS};30 days\r\n{BIKES};Workshop 4\r\n", [2, 3]),
        (f'question,answer\n"{LAMPS}",30 days\n"{BIKES}",Workshop 4\n', [2, 3]),
        (f"sep=;\nQuestion;Right answer\n{LAMPS};30 days\n{BIKES};Workshop 4", [3, 4]),
        (f"| Question | Answer |\n|:---|---:|\n| {LAMPS} | 30 days |\n| {BIKES} | Workshop 4 |", [3, 4]),
        (f"Question | Answer\n--- | ---\n{LAMPS} | 30 days\n{BIKES} | Workshop 4\n\n", [3, 4]),
        (f"{LAMPS}\t30 days\n{BIKES}\tWorkshop 4", [1, 2]),
        (f"\n\nFrage\tAntwort\n\n{LAMPS}\t30 days\n{BIKES}\tWorkshop 4\n\n", [5, 6]),
        (json.dumps([{"question": LAMPS, "answer": "30 days"}, {"question": BIKES, "answer": "Workshop 4"}]), [1, 2]),
        ("\n".join(json.dumps({"id": 1, "prompt": q, "target": a}) for q, a in BOTH), [1, 2]),
        (f"id,context,question,label\n1,Shop,{LAMPS},30 days\n2,Shop,{BIKES.replace(',', '')},Workshop 4".encode(), [2, 3]),
        (f"Frage;Antwort\n{LAMPS};30 days\nWer repariert Fahrräder?;Ä 4".encode("cp1252"), [2, 3]),
        (f"Question\tAnswer\n{LAMPS}\t30 days\n{BIKES}\tWorkshop 4".encode("utf-16"), [2, 3]),
    ],
)
def test_the_question_and_the_right_answer_of_each_row_are_found(content, lines):
    _, found = read(content)
    assert [row.line for row in found.rows] == lines
    assert pairs(found)[0] == BOTH[0]
    assert len(found.rows) == 2
    assert found.problems == ()


def test_a_cell_of_a_markdown_table_may_have_a_bar():
    assert pairs(read("| q | a |\n|---|---|\n| x \\| y? | a, b |")[1]) == [("x | y?", "a, b")]


@pytest.mark.parametrize(
    ("content", "has_names"),
    [
        ("Text\tIntent\nmy card was declined\tcard_declined\nwhere is my card\tcard_arrival", True),
        ("my card was declined\tcard_declined\nit was declined again\tcard_declined\nwhere is it\tcard_arrival", False),
        ("What is the speed?\tfast\nHow much?\tlittle", False),
        ("Rent 2025\t900\nFood 2025\t400", False),
        ("one\ttwo", False),
    ],
)
def test_whether_the_first_row_names_the_columns_is_told_by_how_it_looks_and_can_be_said(content, has_names):
    assert read_table(content.encode()).has_names is has_names
    lines = content.count("\n") + 1
    assert len(read(content, has_names=False)[1].rows) == lines
    if lines > 1:
        assert [row.line for row in read(content, has_names=True)[1].rows] == list(range(2, lines + 1))


def test_lines_that_cannot_be_taught_are_named_by_their_numbers():
    long = "x" * (MOST_CHARACTERS + 1)
    _, found = read(f"{LAMPS}\t30 days\nno answer\t\n{LAMPS}\t30 days\none value\n\t5\n{long}\t5\n{BIKES}\t4")
    assert found.rows == (Row(1, LAMPS, "30 days"), Row(7, BIKES, "4"))
    assert [line for line, _ in found.problems] == [2, 3, 4, 5, 6]
    why = dict(found.problems)
    assert "right answer is empty" in why[2]
    assert "earlier row" in why[3]
    assert "1 values" in why[4]
    assert "question is empty" in why[5]
    assert "16,000 characters" in why[6]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "It is empty"),
        (b" \n\n \n", "It is empty"),
        (b"x" * 100_000, "one column only"),
        ("あ".encode() * 33_000, "one column only"),
        (b"Question\nHow much?\nHow far?", "one column only"),
        (b"PK\x03\x04\x14\x00\x06\x00", "It is no text"),
        (bytes(range(256)) * 40, "It is no text"),
        (b"a\tb\n" * (MOST_BYTES // 4) + b"more", "1,000,004 bytes"),
        (b'[{"question": "a", ', "begins like JSON"),
        (b"{" * 50_000, "begins like JSON"),
        (b"[1, 2, 3]", "one column only"),
        (b'[{"question": "a"}]', "one column only"),
        (b"a\ta\n1\t2\n3\t4", "Two columns are called 'a'"),
        (b"q\ta\n" + b"".join(b"%d?\t%d\n" % (n, n) for n in range(MOST_ROWS + 1)), "501 rows; 500"),
    ],
)
def test_what_is_no_list_is_refused_with_the_reason(content, why):
    with pytest.raises(DataSetError, match=why):
        read(content)


def test_one_column_is_not_both():
    table = read_table(b"q\ta\nx\ty")
    with pytest.raises(DataSetError, match="same column"):
        rows_of(table, "q", "q")
