"""YAML from anybody: plain data with the line of each value, or an error that says where."""

from __future__ import annotations

import pytest

from agents.teams.yaml_text import MOST_CHARACTERS, YamlError, read_yaml


def test_data_with_the_line_of_each_value():
    read = read_yaml("name: writer\ntools:\n  - name: exit_loop\n  - name: 翻訳\n")
    assert read.data == {"name": "writer", "tools": [{"name": "exit_loop"}, {"name": "翻訳"}]}
    assert [read.line(place) for place in [("name",), ("tools",), ("tools", 1, "name"), ("tools", 1, "args"), ()]] == [
        1,
        2,
        4,
        4,
        1,
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: &x 1\nb: *x", "line 1: anchors and aliases"),
        ("a: [1, 2]\nb: *x", "line 2: anchors and aliases"),
        ("a: !!python/object/apply:os.system ['true']", "line 1: the tag tag:yaml.org,2002:python/object/apply:os.system"),
        ("a: !Custom 1", "line 1: the tag !Custom"),
        ("a: !!int x", "line 1: the tag"),
        ("a: 1\nb: 2\na: 3", "line 3: 'a' stands here for the second time"),
        ("<<: {a: 1}", "line 1: a key must be a plain word"),
        ("? [a]\n: 1", "line 1: a key must be a plain word"),
        ("---\na: 1\n---\nb: 2", "line 3: a second document"),
        ("[" * 100_000, "line 1: it is nested deeper than 40 levels"),
        ("- " * 20_000, "line 1: it is nested deeper"),
        ("a: b: c", "line 1: mapping values are not allowed"),
        ("a:\n\t- b", "line 2: found character"),
        ("a: 2025-02-31", "a value in it cannot be read: day is out of range"),
        (f"a: {'9' * 5000}", "a value in it cannot be read: Exceeds the limit"),
        (f"a: 0x{'f' * 5000}", "a value in it cannot be read: Exceeds the limit"),
        ("1: a", "line 1: a key must be a plain word"),
        ("a: {on: b}", "line 1: a key must be a plain word"),
        ("\x00", "it is not YAML: unacceptable character"),
        ("a: \ud800", "it is not YAML"),
        ("x" * (MOST_CHARACTERS + 1), "it has more than 250,000 characters"),
    ],
)
def test_what_is_refused_says_where_and_why(text, why):
    with pytest.raises(YamlError, match="^" + why.replace("[", r"\[").replace("(", r"\(")):
        read_yaml(text)


def test_an_empty_text_holds_nothing():
    assert read_yaml("").data is None
    assert read_yaml("# a comment only").data is None
