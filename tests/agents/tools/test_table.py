"""A table in a file as a tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import TableTool
from agents.errors import ToolError

CSV = 'item,price,note\n"green tea",2,\n\nblack tea,3,"strong,\nhot"\n'


def table(tmp_path: Path, text: str | bytes, file: str = "The prices-2026.csv", description: str = "") -> TableTool:
    path = tmp_path / file
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return TableTool(path, description=description)


def test_the_model_is_told_the_name_and_the_columns(tmp_path):
    tool = table(tmp_path, CSV)
    assert tool.name == "look_up_the_prices_2026"
    assert "Looks up rows of The prices-2026.csv." in tool.description
    assert "item, price, note" in tool.description
    assert table(tmp_path, CSV, description="What tea costs.").description.startswith("What tea costs.")


@pytest.mark.parametrize(
    ("value", "column", "items"),
    [
        ("Green Tea ", None, ["green tea"]),
        ("tea", None, ["green tea", "black tea"]),
        ("3", "price", ["black tea"]),
        ("tea", "price", []),
        ("strong", "note", ["black tea"]),
        ("", None, ["green tea"]),
        ("coffee", None, []),
    ],
)
def test_rows_are_found_by_a_value_or_a_part_of_one(tmp_path, value, column, items):
    found = table(tmp_path, CSV).func(value, column)
    assert ([row["item"] for row in found["rows"]], found["found"]) == (items, len(items))


def test_a_column_that_is_not_there_is_said(tmp_path):
    assert "There are: item, price, note" in table(tmp_path, CSV).func("tea", "cost")["error"]


def test_many_rows_are_counted_and_the_first_are_given(tmp_path):
    found = table(tmp_path, "n\n" + "1\n" * 100).func("1")
    assert (found["found"], len(found["rows"])) == (100, 20)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('[{"city": "Oslo", "people": 717710}]', "a.json"),
        ("city\tpeople\nOslo\t717710\n", "a.tsv"),
        ("city;people\r\nOslo;717710\r\n".encode("utf-16"), "a.csv"),
        ("sep=;\r\ncity;people\r\nOslo;717710\r\n", "a.csv"),
        ("\ufeffsep=\t\ncity\tpeople\nOslo\t717710\n", "a.csv"),
        ("\ncity | people\nOslo | 717710", "a.csv"),
    ],
)
def test_forms_of_a_table(tmp_path, text, name):
    (row,) = table(tmp_path, text, name).func("oslo", "city")["rows"]
    assert {key: str(value) for key, value in row.items()} == {"city": "Oslo", "people": "717710"}


def test_only_the_ends_of_lines_end_rows_and_a_column_may_have_no_name(tmp_path):
    assert table(tmp_path, "\tprice\nA\u2028B\t3\n", "a.tsv").func("3")["rows"] == [{"": "A\u2028B", "price": "3"}]


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("", "a.csv", "has no rows"),
        ("a,b\n", "a.csv", "has no rows"),
        ("a,b\n1\n", "a.csv", "row 2 has 1 values, and there are 2 columns"),
        ('a,b\n"1,2\n', "a.csv", "cannot be read: unexpected end of data"),
        ("a,b,a\n1,2,3\n", "a.csv", "two columns are called 'a'"),
        ("a,b\n1,2\n", "価格.csv", "no name of ASCII letters"),
        ("[1]", "a.json", "it is no list of objects"),
        ("{", "a.json", "cannot be read: Expecting property name"),
        ("[" * 100_000, "a.json", "cannot be read"),
        (b"a,b\n\xff\xfe\x00,1", "a.csv", "no text in UTF-8"),
        ("a\n" + "x" * 2_000_001, "a.csv", "larger than 2,000,000 bytes"),
    ],
)
def test_what_is_no_table(tmp_path, text, name, why):
    with pytest.raises(ToolError, match=why):
        table(tmp_path, text, name)


def test_a_name_that_no_tool_can_have_is_refused(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(CSV, encoding="utf-8")
    with pytest.raises(ToolError, match="cannot name a tool"):
        TableTool(file, name="a b")
