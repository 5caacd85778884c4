"""Tables and lists as other programs write them: each is written here byte by byte as that program does."""

from __future__ import annotations

import json

import pytest

from agents.errors import DataSetError
from agents.lab.data import open_data
from agents.lab.data import rows as rows_of_files

QUESTION = 'Wie heißt "Ä", sagte er;\nund warum?'
"""With everything that must be quoted in one table or another."""
TWO = [(QUESTION, "1,5 €"), ("b?", "naïve")]


def opened(folder, content, name="data.csv", **spec):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return open_data({"file": name, **spec}, folder=folder)


def pairs(data):
    return [(sample.question, sample.truth) for sample in data.samples("all")]


WRITTEN = {
    "Excel in German": (
        'Question;Answer;Note\r\n"Wie heißt ""Ä"", sagte er;\nund warum?";1,5 €;\r\nb?;naïve;x\r\n'
    ).encode("cp1252"),
    "Excel in German, with a first line for itself": (
        'sep=;\r\nQuestion;Answer\r\n"Wie heißt ""Ä"", sagte er;\nund warum?";1,5 €\r\nb?;naïve\r\n'
    ).encode("cp1252"),
    "Excel, CSV UTF-8, with columns that were cleared": (
        'QUESTION,ANSWER,,\r\n"Wie heißt ""Ä"", sagte er;\nund warum?","1,5 €",,\r\nb?,naïve,,\r\n,,,\r\n'
    ).encode("utf-8-sig"),
    "LibreOffice, all texts quoted, an empty row first": (
        '"",""\n"Question","Expected Answer"\n"Wie heißt ""Ä"", sagte er;\nund warum?","1,5 €"'
         '\n"b?","naïve"\n'
    ).encode(),
    "Google Sheets": (
        'Prompt,Ground truth\r\n"Wie heißt ""Ä"", sagte er;\nund warum?","1,5 €"\r\nb?,naïve'
    ).encode(),
    "Google Sheets, TSV": (
        'Query\tAnswer\r\n"Wie heißt ""Ä"", sagte er;\nund warum?"\t1,5 €\r\nb?\tnaïve'
    ).encode(),
    "pandas with its index": (
        ',question,expected_output\n0,"Wie heißt ""Ä"", sagte er;\nund warum?","1,5 €"\n1,b?,naïve\n'
    ).encode(),
    "R's write.csv": (
        '"","Question","Answer"\n"1","Wie heißt ""Ä"", sagte er;\nund warum?","1,5 €"\n"2","b?","naïve"\n'
    ).encode("cp1252"),
    "R's write.csv2": (
        '"";"Question";"Answer"\r\n"1";"Wie heißt ""Ä"", sagte er;\nund warum?";"1,5 €"\r\n"2";"b?";"naïve"'
    ).encode("cp1252"),
    "written by hand": (
        'Question , Target\n"Wie heißt ""Ä"", sagte er;\nund warum?", "1,5 €"\nb?, naïve\n'.encode()
    ),
    "with bars": '質問|答え\n"Wie heißt ""Ä"", sagte er;\nund warum?"|1,5 €\nb?|naïve\n'.encode(),
    "in German": 'Nr;Frage;Antwort\n1;"Wie heißt ""Ä"", sagte er;\nund warum?";1,5 €\n2;b?;naïve\n'.encode(),
}  # fmt: skip


@pytest.mark.parametrize("program", WRITTEN)
def test_tables_of_other_programs_are_read(tmp_path, program):
    data = opened(tmp_path, WRITTEN[program])
    assert pairs(data) == TWO
    assert {one.kind for one in data.problems} <= {"empty"}


def test_a_table_that_is_no_utf_8_says_how_it_was_read(tmp_path):
    data = opened(tmp_path, WRITTEN["Excel in German"])
    assert "data.csv: read as Windows-1252. Save it as UTF-8 if letters are wrong." in data.about
    assert "Windows" not in opened(tmp_path, WRITTEN["Google Sheets"]).about


def test_a_table_in_utf_8_with_a_broken_line_stays_in_utf_8(tmp_path):
    data = opened(tmp_path, "question,answer\nwarum heißt es so?,ja\n".encode() + b"so hei\xdft es?,ja\n")
    assert pairs(data) == [("warum heißt es so?", "ja")]
    assert str(data.problems[0]) == "data.csv, line 3: malformed: byte 7 is not UTF-8."


@pytest.mark.parametrize(
    ("encoding", "text"), [("cp1251", "почему так?"), ("shift_jis", "なぜですか。"), ("gbk", "请问这是为什么?")]
)
def test_a_table_in_another_encoding_is_refused(tmp_path, encoding, text):
    with pytest.raises(DataSetError, match=r"neither in UTF-8 nor in Windows-1252\. Save it as UTF-8"):
        opened(tmp_path, f"question,answer\n{text},1\n".encode(encoding))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "text,tag\na,1\n",
            r"no field with a usual name for the question; .* It has 'text', 'tag'\. Name them: columns = \{",
        ),
        ("prompt,input,answer\na,b,1\n", "'prompt', 'input' could all be the question"),
        ("question,answer,target\na,1,2\n", "'answer', 'target' could all be the answer"),
        ("Answer,question,answer\n1,a,2\n", "'Answer', 'answer' could all be the answer"),
        ("question,answer\ra,1\r", "lines of data.csv end as on old Macs"),
        (" ; ;\n\n", "has no header"),
        (f"{'x' * 500},answer\na,1\n", f"It has '{'x' * 40}…', 'answer'"),
    ],
)
def test_columns_that_cannot_be_told_are_listed(tmp_path, text, says):
    with pytest.raises(DataSetError, match=says):
        opened(tmp_path, text)


def test_columns_are_named_in_any_case_and_labels_must_be_there(tmp_path):
    text = "TEXT;Tag;Kind_of it\na;1;x\n"
    columns = {"question": "text", "answer": "tag", "labels": ["kind of it"]}
    sample = next(opened(tmp_path, text, columns=columns).samples("all"))
    assert (sample.question, sample.truth, dict(sample.labels)) == ("a", "1", {"kind of it": "x"})
    with pytest.raises(DataSetError, match=r"no column 'group', which labels name\. It has 'TEXT', 'Tag', 'Kind_of it'"):
        opened(tmp_path, text, columns=columns | {"labels": ["group"]})


def test_a_name_of_the_row_that_the_header_lacks_is_explained(tmp_path):
    with pytest.raises(DataSetError, match=r"leave that out with row.names = FALSE"):
        opened(tmp_path, '"question"\t"answer"\n"1"\t"a"\t"x"\n', "data.tsv")


# -- JSON

RECORDS = [{"Question": question, "Answer": answer} for question, answer in TWO]


@pytest.mark.parametrize("name", ["data.json", "data.jsonl"])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2, ensure_ascii=False),
        f"\ufeff \n{json.dumps(RECORDS, indent=4)}\r\n",
        "\n".join(json.dumps(record) for record in RECORDS),
    ],
    ids=["list", "list with indents", "with a mark", "lines"],
)
def test_lists_and_lines_of_json_are_read(tmp_path, name, text):
    data = opened(tmp_path, text, name)
    assert (pairs(data), data.problems) == (TWO, [])


def test_items_of_a_list_are_named_by_number(tmp_path):
    items = (
        '[{"question": "a", "answer": 1.50}, 3, {"question": "a", "answer": "1.50"}, {"answer": "1"},\n{"question": "b",}]'
    )
    data = opened(tmp_path, items, "data.json")
    assert [(sample.id, sample.truth) for sample in data.samples("all")] == [("data.json:1", "1.50")]
    said = [str(one) for one in data.problems]
    assert said[0] == "data.json, item 2: malformed: it is no JSON object."
    assert said[1] == "data.json, item 3: duplicate: data.json has the same sample in item 1."
    assert said[2].startswith(
        "data.json, item 4: malformed: it has no field with a usual name for the question. It has 'answer'"
    )
    assert said[3].startswith("data.json, item 5: malformed: it is not JSON: ")
    assert said[3].endswith("What follows was not read.")


@pytest.mark.parametrize("tail", ["", "]]", "] {}", ' {"question": "b", "answer": "1"}]', ",", "[" * 100_000])
def test_a_list_that_does_not_end_well_keeps_what_was_read(tmp_path, tail):
    data = opened(tmp_path, f'[{{"question": "a", "answer": "1"}}{tail}', "data.json")
    assert pairs(data) == [("a", "1")]
    assert (data.problems[0].line, data.problems[0].kind) == (2, "malformed")


def test_a_list_that_is_too_large_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(rows_of_files, "MAX_LIST_BYTES", 100)
    with pytest.raises(DataSetError, match=r"larger than 100 bytes\. A file with an object on each line \(JSON lines\)"):
        opened(tmp_path, json.dumps(RECORDS), "data.json")
