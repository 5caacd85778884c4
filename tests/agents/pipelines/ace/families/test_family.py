from __future__ import annotations

import pytest

from agents.errors import AuthorError
from agents.pipelines.ace.families import family as module
from agents.pipelines.ace.families.family import read_families, read_house_rules

SPEED = """
[[family]]
name = "speed"
answer = "measurements"
formula = "distance / time"
questions = ["What is the speed for a distance of {distance} and a time of {time}?"]
[family.given]
distance = { from = 40, to = 640, step = 4, unit = "km" }
time = { from = 1.25, to = 8, step = 0.25, unit = "h" }
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a data file where the reader looks for it."""
    monkeypatch.setattr(module, "__file__", str(tmp_path / "family.py"))

    def written(text: str) -> str:
        (tmp_path / "new.toml").write_text(text, encoding="utf-8")
        return "new.toml"

    return written


def test_a_new_set_of_families_is_a_data_file(written):
    (speed,) = read_families(written(SPEED)).family

    assert speed.name == "speed"
    assert str(speed.given["time"].step) == "0.25"


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("[[family]]", "[[family]", "new.toml cannot be read: .*line 2"),
        ('name = "speed"', "", r"family.0.name: Field required"),
        ("questions =", "question =", r"family.0.question: Extra inputs are not permitted"),
        ('"measurements"', '"lengths"', "speed: there is no kind of answer 'lengths', only money, percentages"),
        ("distance / time", "distance /", "It ends where a name or a number should follow"),
        ("distance / time", "way / time", "speed: the formula uses time, way, but given are distance, time"),
        ("of {time}", "of {hours}", "uses distance, hours, but given are distance, time"),
        ("of {time}", "of {time", "expected '}'"),
        ("from = 40", 'from = "many"', "family.0.given.distance.from: Input should be a valid decimal"),
        ("to = 640", "to = 4", "from 40 is more than to 4"),
        ("step = 4", "step = 0", "greater than 0"),
    ],
)
def test_an_error_names_the_file_the_family_and_what_is_wrong(written, before, after, problem):
    assert before in SPEED
    with pytest.raises(AuthorError, match=problem) as error:
        read_families(written(SPEED.replace(before, after)))
    assert str(error.value).startswith("new.toml ")


def test_a_file_that_is_missing_and_a_sentence_that_is_no_rule_are_named(written):
    with pytest.raises(AuthorError, match=r"none\.toml cannot be read"):
        read_families("none.toml")
    with pytest.raises(AuthorError, match=r"“Be nice\.” is no house rule"):
        read_house_rules(written('rules = ["Be nice."]'))
