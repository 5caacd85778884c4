from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from agents.ace.roles.schemas import (
    MOST_ANSWER,
    MOST_PIECE,
    MOST_READ,
    MOST_TEXT,
    BulletTag,
    CuratorOutput,
    GeneratorOutput,
    ReflectorOutput,
    plain_id,
    role_output,
)
from agents.runtime.output import parse_answer

SCHEMAS = [GeneratorOutput, ReflectorOutput, CuratorOutput]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=15,
)


def parsed(schema, value):
    """As `LlmAgent` reads an answer: from text to plain JSON types."""
    return parse_answer(TypeAdapter(schema), json.dumps(value))


def test_answers_as_they_are_asked_for_stay_as_they_are():
    answer = {"reasoning": ["one", "two"], "bullet_ids": ["form-00001"], "final_answer": "1.50"}
    reflection = {
        "reasoning": "r",
        "error_identification": "e",
        "root_cause_analysis": "c",
        "correct_approach": "a",
        "key_insight": "k",
        "bullet_tags": [{"id": "form-00001", "tag": "helpful"}],
    }

    assert parsed(GeneratorOutput, answer) == answer
    assert parsed(ReflectorOutput, reflection) == reflection
    operation = {"type": "ADD", "section": "FORMULAS", "content": "a = b"}
    (read,) = CuratorOutput.model_validate({"reasoning": "r", "operations": [operation]}).operations
    assert read.model_dump(exclude_none=True) == operation


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"final_answer": 1.5}, {"final_answer": "1.5"}),
        ({"final_answer": True}, {"final_answer": "true"}),
        ({"final_answer": ["a", "b"]}, {"final_answer": "a\nb"}),
        ({"final_answer": "x", "reasoning": "one step"}, {"reasoning": ["one step"]}),
        ({"final_answer": "x", "reasoning": None, "bullet_ids": None}, {"reasoning": [], "bullet_ids": []}),
        ({"final_answer": "x", "bullet_ids": "[a-00001], b-00002"}, {"bullet_ids": ["a-00001", "b-00002"]}),
        ({"final_answer": "x", "bullet_ids": ["[a-00001] helpful=4", "", None, 7]}, {"bullet_ids": ["a-00001", "7"]}),
        ({"final_answer": "x", "confidence": 0.3}, {"final_answer": "x"}),
    ],
)
def test_a_generator_may_err_in_form(written, read):
    found = parsed(GeneratorOutput, written)

    assert {key: found[key] for key in read} == read


@pytest.mark.parametrize("written", [{}, {"final_answer": None}, {"answer": "x"}, [], "x", 3, None])
def test_without_an_answer_a_generators_output_does_not_fit(written):
    with pytest.raises(ValidationError):
        parsed(GeneratorOutput, written)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ([{"id": "[a-00001]", "tag": "Helpful "}], [("a-00001", "helpful")]),
        ([{"bullet_id": "a-00001", "tag": "harmful"}], [("a-00001", "harmful")]),
        ({"a-00001": "helpful", "b-00002": "neutral"}, [("a-00001", "helpful"), ("b-00002", "neutral")]),
        ({"id": "a-00001", "tag": "helpful"}, [("a-00001", "helpful")]),
        (["a-00001: helpful", "b-00002", 7, None], [("a-00001", "helpful"), ("b-00002", ""), ("7", ""), ("", "")]),
        ([{"id": "a-00001", "tag": "excellent"}, {"id": ["x"]}], [("a-00001", "excellent"), ("x", "")]),
        (None, []),
    ],
)
def test_tags_are_read_however_they_are_written_and_none_is_dropped(written, read):
    found = ReflectorOutput.model_validate({"key_insight": "k", "bullet_tags": written})

    assert [(tag.id, tag.tag) for tag in found.bullet_tags] == read


def test_a_reflection_that_is_something_else_does_not_fit_and_one_in_part_does():
    with pytest.raises(ValidationError, match="none of reasoning"):
        ReflectorOutput.model_validate({"thoughts": "…"})
    assert ReflectorOutput.model_validate({"key_insight": ["a", "b"]}).key_insight == "a\nb"


@pytest.mark.parametrize(
    ("written", "types"),
    [
        ({"operations": []}, []),
        ({"reasoning": "nothing to add"}, []),
        ([{"type": " add "}, {"type": "REMOVE"}], ["ADD", "REMOVE"]),
        ({"type": "REMOVE", "bullet_id": "a-00001"}, ["REMOVE"]),
        ({"operations": {"type": "ADD"}}, ["ADD"]),
        ({"operations": ["ADD it", 3, None, {"type": 7}, {}, [1]]}, ["", "", "", "7", "", ""]),
    ],
)
def test_operations_are_read_however_they_are_written_and_none_is_dropped(written, types):
    assert [operation.type for operation in CuratorOutput.model_validate(written).operations] == types


@pytest.mark.parametrize("written", [{}, {"changes": []}, "x", 3])
def test_what_holds_no_operations_does_not_fit(written):
    with pytest.raises(ValidationError):
        CuratorOutput.model_validate(written)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[sai-00001]", "sai-00001"),
        (" `sai-00001`, ", "sai-00001"),
        ("[sai-00001] helpful=4 :: text", "sai-00001"),
        ("", ""),
        (None, ""),
        ("x" * 5000, "x" * 100),
    ],
)
def test_ids_are_read_without_what_stands_around_them(written, read):
    assert plain_id(written) == read


def test_everything_is_bounded_and_what_is_left_out_is_said():
    long = "x" * 1_000_000

    answer = GeneratorOutput.model_validate({"final_answer": long, "reasoning": [long] * 999, "bullet_ids": ["a"] * 999})
    reflection = ReflectorOutput.model_validate({"reasoning": long, "bullet_tags": [{"id": "a", "tag": "helpful"}] * 999})
    curation = CuratorOutput.model_validate({"operations": [{"type": "ADD", "section": "s", "content": long}] * 9999})

    assert len(answer.final_answer) == MOST_ANSWER
    assert (len(answer.reasoning), len(answer.bullet_ids)) == (MOST_READ, MOST_READ)
    assert len(answer.reasoning[0]) == len(reflection.reasoning) == MOST_TEXT
    assert len(reflection.bullet_tags) == len(curation.operations) == MOST_READ
    assert reflection.bullet_tags[-1] == BulletTag(id="…", tag="800 tags more")
    assert curation.operations[-1].content == "… and 9,800 operations more"
    assert len(curation.operations[0].content) == MOST_PIECE


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_a_model_is_asked_for_is_told_in_plain_types(schema):
    text = json.dumps(schema.model_json_schema())

    assert "additionalProperties" not in text
    assert "oneOf" not in text
    assert "helpful, harmful or neutral" in text or schema is GeneratorOutput


@given(JSON)
def test_any_json_fits_and_reads_again_as_the_same_or_does_not_fit(value):
    for schema in SCHEMAS:
        try:
            found = parsed(schema, value)
        except ValidationError:
            assert role_output(value, schema) is None
            continue
        assert parsed(schema, found) == found
        assert role_output(found, schema) == schema.model_validate(found)


@given(st.lists(JSON, max_size=5), st.lists(JSON, max_size=5))
def test_no_garbage_in_a_list_is_dropped(operations, tags):
    assert len(CuratorOutput.model_validate({"operations": operations}).operations) == len(operations)
    assert len(ReflectorOutput.model_validate({"bullet_tags": tags}).bullet_tags) == len(tags)
