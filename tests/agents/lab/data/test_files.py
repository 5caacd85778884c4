from __future__ import annotations

import json
import tracemalloc

import pytest

from agents.errors import DataSetError
from agents.lab.data import open_data
from agents.lab.data.data_set import MOST_PROBLEMS
from agents.lab.data.tables.columns import MAX_QUESTION
from agents.lab.data.tables.lines import MAX_LINE_BYTES


def write(folder, content, name="data.jsonl"):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def opened(folder, content, name="data.jsonl", **spec):
    return open_data({"file": write(folder, content, name), **spec}, folder=folder)


def rows(data, split="all"):
    return [(sample.question, sample.truth) for sample in data.samples(split)]


def line(question, answer="1"):
    return json.dumps({"question": question, "answer": answer}, ensure_ascii=False) + "\n"


# -- both formats


def test_both_formats_of_json_lines_are_read(tmp_path):
    text = '{"context": "a?", "target": "1"}\n{"question": "b?", "answer": "2"}\n'
    text += '{"context": "c", "question": "d?", "answer": null}'
    data = opened(tmp_path, text)
    assert rows(data) == [("a?", "1"), ("b?", "2"), ("c\n\nd?", None)]
    assert [sample.id for sample in data.samples("all")] == ["data.jsonl:1", "data.jsonl:2", "data.jsonl:3"]
    assert data.problems == []


def test_a_number_stays_as_it_is_written(tmp_path):
    assert rows(opened(tmp_path, '{"question": "a", "answer": 1.50}\n{"question": "b", "answer": ' + "7" * 5000 + "}")) == [
        ("a", "1.50"),
        ("b", "7" * 5000),
    ]


def test_a_table_is_read_by_its_columns(tmp_path):
    text = 'Nr;Frage;Antwort;Art\n1;"Was ist\n2 + 2?";4;Summe\n2;"Ein ""Wort""?";ja;Text\n'
    data = opened(tmp_path, text, "data.csv", columns={"question": "Frage", "answer": "Antwort", "labels": ["Art"]})
    assert [(one.id, one.question, one.truth, dict(one.labels)) for one in data.samples("all")] == [
        ("data.csv:2", "Was ist\n2 + 2?", "4", {"Art": "Summe"}),
        ("data.csv:4", 'Ein "Wort"?', "ja", {"Art": "Text"}),
    ]


def test_a_table_without_the_columns_is_named_with_its_header(tmp_path):
    with pytest.raises(DataSetError, match=r"usual name for the question; .* for the answer. It has 'a', 'b'. Name them"):
        opened(tmp_path, "a,b\n1,2\n", "data.csv")
    with pytest.raises(DataSetError, match="no header"):
        opened(tmp_path, "", "data.csv")


# -- lines that are no samples

HOSTILE = {
    "{": "malformed",
    '{"question": "a"}': "malformed",
    '{"answer": "a"}': "malformed",
    '{"question": "a", "answer": "b", "target": "c"}': "malformed",
    '{"question": "", "answer": "b"}': "empty",
    '{"question": " \\n", "answer": "b"}': "empty",
    '{"question": null, "answer": "b"}': "empty",
    '{"question": ["a"], "answer": "b"}': "malformed",
    '{"question": true, "answer": "b"}': "malformed",
    '{"question": "a", "answer": {"b": 1}}': "malformed",
    '{"question": "a", "answer": NaN}': "malformed",
    '{"question": "a\\u0000b", "answer": "c"}': "malformed",
    '{"question": "a\\ud800b", "answer": "c"}': "malformed",
    '{"question": "a\0b", "answer": "c"}': "malformed",
    "[1]": "malformed",
    "null": "malformed",
    '"question"': "malformed",
    "": "empty",
    " \t": "empty",
    "[" * 100_000: "malformed",
    '{"a":' * 100_000: "malformed",
    "x" * 100_000: "malformed",
    '{"question": "' + "a" * (MAX_QUESTION + 1) + '", "answer": "b"}': "malformed",
    "y" * (MAX_LINE_BYTES + 1): "malformed",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:60]))
def test_a_line_that_is_no_sample_is_named_and_skipped(tmp_path, text):
    data = opened(tmp_path, line("before") + text + "\n" + line("after"))
    assert rows(data) == [("before", "1"), ("after", "1")]
    assert [(one.file, one.line, one.kind) for one in data.problems] == [("data.jsonl", 2, HOSTILE[text])]
    assert data.problems[0].why.endswith(".")
    assert data.skipped == {HOSTILE[text]: 1}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:60]))
def test_a_line_that_is_no_sample_stops_where_that_is_chosen(tmp_path, text):
    with pytest.raises(DataSetError, match=r"^data.jsonl, line 2: "):
        opened(tmp_path, line("before") + text + "\n" + line("after"), malformed="stop")


def test_bytes_that_are_no_text_are_named_by_place(tmp_path):
    data = opened(tmp_path, line("a").encode() + b'{"question": "\xff", "answer": "1"}\n' + line("b").encode())
    assert rows(data) == [("a", "1"), ("b", "1")]
    assert str(data.problems[0]) == "data.jsonl, line 2: malformed: byte 15 is not UTF-8."


def test_a_duplicate_is_named_with_its_first_place(tmp_path):
    data = opened(tmp_path, line("a", "1") + line("a", "2") + line("b") + line(" a ", "1") + line("a", "1"))
    assert rows(data) == [("a", "1"), ("a", "2"), ("b", "1")]
    assert [str(one) for one in data.problems] == [
        "data.jsonl, line 4: duplicate: data.jsonl has the same sample in line 1.",
        "data.jsonl, line 5: duplicate: data.jsonl has the same sample in line 1.",
    ]


def test_a_sample_of_training_is_no_sample_of_the_test(tmp_path):
    files = {"train": write(tmp_path, line("a") + line("b"), "train.jsonl"), "test": write(tmp_path, line("b") + line("c"))}
    data = open_data({"files": files}, folder=tmp_path)
    assert rows(data, "train") == [("a", "1"), ("b", "1")]
    assert rows(data, "test") == [("c", "1")]
    assert str(data.problems[0]) == "data.jsonl, line 1: duplicate: train.jsonl has the same sample in line 2."
    assert [data.count(split) for split in ("train", "validation", "test", "all")] == [2, 0, 1, 3]


def test_all_problems_are_counted_and_some_listed(tmp_path):
    data = opened(tmp_path, line("a") + "x\n" * (MOST_PROBLEMS + 50))
    assert len(data.problems) == MOST_PROBLEMS
    assert data.skipped == {"malformed": MOST_PROBLEMS + 50}


def test_rows_of_a_table_that_are_none_are_named(tmp_path):
    text = 'question,answer\na,1\nb\n\nc,1,2\n,3\n"d"x,1\ne\0,1\nf,2\n"g,\nh,1\n'
    data = opened(tmp_path, text, "data.csv")
    assert rows(data) == [("a", "1"), ("f", "2")]
    assert [(one.line, one.kind) for one in data.problems] == [
        (3, "malformed"),
        (4, "empty"),
        (5, "malformed"),
        (6, "empty"),
        (7, "malformed"),
        (8, "malformed"),
        (10, "malformed"),
    ]
    assert data.problems[-1].why.endswith("It reaches to line 11.")


# -- files


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path, ends, bom):
    text = (line("質問", "答え") + line("b")).replace("\n", ends)
    assert rows(opened(tmp_path, bom + text.encode())) == [("質問", "答え"), ("b", "1")]
    table = "question,answer\n質問,答え\n".replace("\n", ends)
    assert rows(opened(tmp_path, bom + table.encode(), "data.csv")) == [("質問", "答え")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (line("a").encode("utf-16"), "UTF-16, not text in UTF-8"),
        (b"PK\x03\x04...", "ZIP"),
        (b"\x1f\x8b...", "gzip"),
        (b"SQLite format 3\x00...", "a database"),
        (b"", "has no samples"),
        (b"\n\n", "has no samples. data.jsonl, line 1: empty"),
        (b"\xef\xbb\xbf", "has no samples"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_reason(tmp_path, content, said):
    with pytest.raises(DataSetError, match=said):
        opened(tmp_path, content)


@pytest.mark.parametrize(
    "name", ["../x.jsonl", "/etc/passwd", "link.jsonl", "a\0b.jsonl", "missing.jsonl", "x" * 5000, "sub"]
)
def test_no_path_leads_out_of_the_folder(tmp_path, name):
    write(tmp_path, line("secret"), "x.jsonl")
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "link.jsonl").symlink_to(tmp_path / "x.jsonl")
    with pytest.raises(DataSetError):
        open_data({"file": name, "format": "jsonl"}, folder=folder)


def test_a_file_that_was_changed_is_noticed(tmp_path):
    data = opened(tmp_path, line("a") + line("b"))
    samples = data.samples("all")
    next(samples)
    write(tmp_path, line("c") + line("d") + line("e"))
    with pytest.raises(DataSetError, match="was changed"):
        list(samples)
    (tmp_path / "data.jsonl").unlink()
    with pytest.raises(DataSetError, match="cannot be read"):
        list(data.samples("all"))


def test_the_fingerprint_is_of_the_content_and_the_splits(tmp_path):
    text = line("a") + line("b")
    split = {"train": 0.5, "test": 0.5}
    base = opened(tmp_path, text).fingerprint
    assert len(base) == 64
    (tmp_path / "other").mkdir()
    assert opened(tmp_path / "other", text + "broken\n").fingerprint == base
    others = [
        opened(tmp_path, text + line("c")),
        opened(tmp_path, text, split=split),
        opened(tmp_path, text, split=split, seed=1),
    ]
    assert len({base, *(other.fingerprint for other in others)}) == 4


# -- splits


@pytest.mark.parametrize("count", [1, 2, 5, 10, 99, 100, 101, 250, 1000])
def test_fractions_are_kept_and_every_sample_is_in_one_split(tmp_path, count):
    split = {"train": 0.6, "validation": 0.2, "test": 0.2}
    data = opened(tmp_path, "".join(line(f"q{number}") for number in range(count)), split=split, seed=7)
    parts = {name: [one.question for one in data.samples(name)] for name in split}
    assert sorted(question for part in parts.values() for question in part) == sorted(
        f"q{number}" for number in range(count)
    )
    for name, part in parts.items():
        assert data.count(name) == len(part)
        assert abs(len(part) - split[name] * count) <= 1 + count // 100
    assert data.count("all") == count


def test_another_seed_divides_in_another_way(tmp_path):
    text, split = "".join(line(f"q{number}") for number in range(40)), {"train": 0.5, "test": 0.5}
    parts = [rows(opened(tmp_path, text, split=split, seed=seed), "test") for seed in (1, 1, 2)]
    assert parts[0] == parts[1] != parts[2]


def test_without_a_split_everything_is_for_training(tmp_path):
    data = opened(tmp_path, line("a"))
    assert [data.count(split) for split in ("train", "validation", "test", "all")] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"file": "a.jsonl", "files": {"train": "a.jsonl"}},
        {"file": "data.jsonl", "split": {"train": 0.5}},
        {"file": "data.jsonl", "split": {"train": 1.5, "test": -0.5}},
        {"file": "data.jsonl", "split": {"holdout": 1.0}},
        {"file": "data.jsonl", "malformed": "ignore"},
        {"file": "data.jsonl", "colour": "red"},
        {"file": 3},
        {"files": {"train": "data.jsonl"}, "split": {"train": 1.0}},
        {"generate": "nothing"},
        {"generate": "formulas", "count": 0},
        {"generate": "formulas", "count": 10**9},
    ],
)
def test_a_wrong_specification_is_refused(tmp_path, spec):
    write(tmp_path, line("a"))
    with pytest.raises(DataSetError):
        open_data(spec, folder=tmp_path)


def test_an_unknown_split_is_refused(tmp_path):
    data = opened(tmp_path, line("a"))
    for ask in (data.count, lambda split: list(data.samples(split))):
        with pytest.raises(DataSetError, match="no split 'holdout'"):
            ask("holdout")


# -- size


def peak_of(read):
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_a_file(tmp_path):
    """Reading costs what one line needs; finding duplicates costs 64 bytes a sample while a file is opened."""
    opened(tmp_path, line("warm"))
    few, many = ("".join(line(f"question {number}") for number in range(count)) for count in (1_000, 30_000))
    small = opened(tmp_path, few, "few.jsonl")
    large = opened(tmp_path, many, "many.jsonl")
    reading = [peak_of(lambda data=data: sum(1 for _ in data.samples("all"))) for data in (small, large)]
    assert reading[1] < reading[0] + 100_000
    opening = [peak_of(lambda name=name: open_data({"file": name}, folder=tmp_path)) for name in ("few.jsonl", "many.jsonl")]
    assert opening[1] < opening[0] + 64 * 30_000
