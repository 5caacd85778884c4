"""The description of a run: what it says, and errors that name line and field."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.errors import LabError
from agents.lab import LabDescription, read_description

BASE = 'name = "x"\ndata = { file = "a.jsonl" }\n\n[[arms]]\nkind = "none"\n\n[[arms]]\nkind = "online"\n'


def test_what_is_not_said_has_a_default():
    found = LabDescription.from_toml(BASE)
    assert [arm.title for arm in found.arms] == ["none", "online"]
    assert (found.seeds, found.pipeline, found.model, found.keep) == ([0], "ace", "simulated", "wrong")


def test_repeats_are_counted_as_seeds_and_written_as_they_are_read():
    found = LabDescription.from_toml("repeats = 3\ntemperature = 0.5\n" + BASE)
    assert (found.seeds, found.repeats, found.temperature) == ([0, 1, 2], 3, 0.5)
    assert LabDescription.from_toml(found.to_toml()) == found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BASE + "rounds = 11\n", "line 9, arms.2.rounds: input should be less than or equal to 10"),
        (BASE + "foo = 1\n", "line 9, arms.2.foo: there is no such field"),
        (BASE + "batch = 65\n", "line 9, arms.2.batch"),
        (BASE + "[limits]\nsamples = 0\n", "line 10, limits.samples: input should be greater"),
        (BASE.replace('kind = "none"', 'kind = "nope"'), "arms.1: input tag 'nope'"),
        (BASE.replace('kind = "none"', 'knd = "none"'), "arms.1: it has no kind"),
        (BASE.replace('"none"', '"online"'), "2 arms are called 'online'"),
        ("seeds = [1, 1]\n" + BASE, "a seed is there twice"),
        ("seeds = [1]\nrepeats = 2\n" + BASE, "give seeds, which are orders, or repeats, which keep the order"),
        ("repeats = 101\n" + BASE, "line 1, repeats"),
        ("repeats = 5.0\n" + BASE, "line 1, repeats: input should be a valid integer"),
        ("temperature = 2.5\n" + BASE, "line 1, temperature"),
        ("sead = [1]\n" + BASE, "line 1, sead: there is no such field"),
        (BASE + '[[arms]]\nkind = "frozen"\nplaybook = {}\n', "arms.3.playbook: name either a file or a playbook"),
        (BASE.replace('"x"', '"../x"'), "line 1, name: it may have letters, digits, blanks and"),
        (BASE.replace('"x"', '"' + "x" * 100 + '"'), "line 1, name"),
        (
            BASE + 'harmful_every = 2\nfeedback = "none"\n',
            'harmful_every tells a wrong answer, so it needs feedback = "truth"',
        ),
        (BASE + 'shuffled_truth = true\nfeedback = "execution"\n', "shuffled_truth tells a wrong answer"),
        (BASE + "shuffled_truth = true\nharmful_every = 2\n", "so harmful_every has no meaning"),
        ("name =", "is not TOML: Invalid value"),
        ("", "name: field required"),
        ("\ud800", "it.toml has half a character at place 1"),
        ("[[" * 3000, "is not TOML"),
        ("x = " + "[" * 20_000, "nested too deep"),
        ("x = " + "{a = " * 20_000, "nested too deep"),
        (".".join("a" * 20_000) + " = 1", "has a key of more than 64 parts"),
        ("[" + ".".join("a" * 20_000) + "]", "has a key of more than 64 parts"),
        ("x = {" + " . ".join("a" * 20_000) + " = 1}", "has a key of more than 64 parts"),
        ("#" * 300_000, "is longer than 256 KiB"),
    ],
)
def test_an_error_names_line_and_field(text: str, told: str):
    with pytest.raises(LabError) as error:
        LabDescription.from_toml(text, file="it.toml")
    assert str(error.value).startswith("it.toml ")
    assert told in str(error.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(LabError, match="No such file"):
        LabDescription.read(tmp_path / "none.toml")
    (tmp_path / "it.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LabError, match=r"is not UTF-8 \(byte 0\)"):
        LabDescription.read(tmp_path / "it.toml")
    (tmp_path / "it.toml").write_text("\ufeff" + BASE, encoding="utf-8")
    assert LabDescription.read(tmp_path / "it.toml").name == "x"


def test_a_description_is_read_from_regular_files_alone(tmp_path: Path):
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(LabError, match="a device or a pipe, not a file"):
            read_description(path)
    (large := tmp_path / "large.toml").write_text("#" * 300_000)
    with pytest.raises(LabError, match="larger than"):
        read_description(large)


def test_a_comment_of_many_sentences_is_no_key():
    assert LabDescription.from_toml("# It is. So it is.\n" * 200 + BASE).name == "x"


def test_a_description_made_in_python_is_written_as_it_is_read():
    arms = [{"kind": "none"}, {"kind": "online", "name": "five", "rounds": 5}]
    made = LabDescription.model_validate({"name": "x", "data": {"file": 'a "b" \\ \x7f é', "parts": [1.5]}, "arms": arms})
    assert LabDescription.from_toml(made.to_toml()) == made
    with pytest.raises(LabError, match="NoneType"):
        made.model_copy(update={"data": {"generate": None}}).to_toml()
