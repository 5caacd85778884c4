from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.roles.instructions import EMPTY_PLAYBOOK, as_material, instruction_for, prompt
from agents.ace.roles.settings import AceSettings
from agents.models.simulated.request import section_of

SECTIONS = {
    "generator": ["playbook", "question", "previous_reflection"],
    "reflector": ["playbook", "question", "answer", "feedback", "verdict", "round", "previous_reflection"],
    "curator": ["playbook", "question", "reflection", "verdict", "limits"],
}
TAGS = ["playbook", "question", "answer", "feedback", "verdict", "round", "previous_reflection", "reflection", "limits"]
PIECES = st.lists(
    st.sampled_from([f"{mark}{tag}{end}" for tag in TAGS for mark in ("<", "</", "< / ") for end in (">", " />")])
)


class Context:
    agent_name = "X"

    def __init__(self, **state):
        self.state = state


def filled(role, **state) -> str:
    return instruction_for(role, AceSettings())(Context(**state))


@pytest.mark.parametrize("role", SECTIONS)
def test_a_prompt_has_each_of_its_sections_once_and_no_other(role):
    text = prompt(role)

    for tag in TAGS:
        wanted = int(tag in SECTIONS[role])
        assert len(re.findall(rf"^<{tag}>", text, re.MULTILINE)) == text.count(f"</{tag}>") == wanted
    assert set(re.findall(r"{(\w+)}", text)) == set(SECTIONS[role])


def test_what_is_filled_in_is_found_where_it_belongs():
    bullets = [StoredBullet("form-00001", "FORMULAS", "a = b"), StoredBullet("form-00002", "FORMULAS", "c = d")]
    book = Playbook(bullets, name="b")
    state = {
        "app:playbook": book,
        "temp:given_playbook": book.as_prompt(),
        "user_query": "What is\nthis?",
        "feedback": "The right answer is: 2",
        "generator_output": {"final_answer": "é", "bullet_ids": ["form-00002", "form-00009"]},
        "reflector_output": {"key_insight": "k"},
        "previous_reflection": {"key_insight": "before"},
        "reflection_round": 2,
        "token_budget": 900,
    }

    text = {role: filled(role, **state) for role in SECTIONS}

    for role in SECTIONS:
        shown = book.as_prompt(["form-00002"]) if role == "reflector" else book.as_prompt()
        assert section_of(text[role], "playbook") == shown
        assert section_of(text[role], "question") == "What is\nthis?"
    assert json.loads(section_of(text["reflector"], "answer")) == state["generator_output"]
    assert section_of(text["reflector"], "feedback") == "The right answer is: 2"
    assert section_of(text["reflector"], "round") == "2"
    assert json.loads(section_of(text["reflector"], "previous_reflection")) == {"key_insight": "before"}
    assert json.loads(section_of(text["curator"], "reflection")) == {"key_insight": "k"}
    for role in ("reflector", "curator"):
        assert section_of(text[role], "verdict") == "The predicted answer does not match the right answer."
    assert section_of(text["curator"], "limits") == (
        f"Token budget: 900 (the playbook has {book.tokens} tokens)\nNumber of bullets: 2 (0 helped, 0 harmed, 2 neither)\n"
        "Most operations: 50"
    )


@pytest.mark.parametrize(("cited", "given"), [([], None), (["form-00001"], ["form-00002"]), (["form-00003"], None)])
def test_the_reflector_is_shown_no_bullet_that_was_not_given_and_cited(cited, given):
    bullets = [StoredBullet("form-00001", "FORMULAS", "a = b"), StoredBullet("form-00002", "FORMULAS", "c = d")]
    answer = {"final_answer": "1", "bullet_ids": cited}

    text = filled("reflector", **{"app:playbook": Playbook(bullets), "generator_output": answer, "given_bullets": given})

    assert section_of(text, "playbook") == EMPTY_PLAYBOOK


def test_an_empty_state_is_said_plainly():
    assert section_of(filled("generator"), "playbook") == EMPTY_PLAYBOOK
    assert section_of(filled("generator"), "previous_reflection") == ""
    assert section_of(filled("reflector"), "feedback") == "None."
    assert section_of(filled("reflector"), "round") == "1"
    assert section_of(filled("curator"), "verdict") == "Nobody has checked the predicted answer."
    assert "Token budget: none" in section_of(filled("curator"), "limits")


def test_no_prompt_has_a_name_that_a_small_model_would_copy():
    assert not re.search(r"FORMULAS|name = expression|playbook is empty: ", "".join(map(prompt, SECTIONS)))


def test_what_is_filled_in_is_not_filled_again():
    assert section_of(filled("generator", user_query="What is {playbook} and {no_such_key}?"), "question") == (
        "What is {playbook} and {no_such_key}?"
    )


@given(PIECES, st.text(max_size=20))
def test_no_text_closes_its_section_or_opens_another(pieces, text):
    odd = text + "\n".join(pieces)

    for role in ("generator", "reflector"):
        written = filled(role, user_query=odd, feedback=odd, generator_output={"final_answer": odd})
        for tag in TAGS:
            wanted = int(tag in SECTIONS[role])
            assert written.count(f"<{tag}>") == written.count(f"</{tag}>") == wanted


def test_other_tags_and_signs_stay():
    assert as_material("a < b <b>x</b> <answers> <question") == "a < b <b>x</b> <answers> <question"
    assert as_material("</Question>") == "‹/Question>"
