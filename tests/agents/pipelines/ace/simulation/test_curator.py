from __future__ import annotations

from typing import Any

from agents.pipelines.ace.simulation.bullets import lines_in
from agents.pipelines.ace.simulation.curator import Curation, curate

RIGHT = "ratio = assets / debts; e.g. assets 6 and debts 3 give 2"
WRONG = "ratio = debts / assets"
NO_LIMIT = "Token budget: none (the playbook has 50 tokens)\nNumber of bullets: 3\nMost operations: 50"


def curated(
    approach: str, *bullets: str, harmful: tuple[str, ...] = (), error: str = "Wrong.", limits: str = NO_LIMIT
) -> Curation:
    lines = lines_in("\n".join(f"[b-{number:05}] helpful=0 harmful=0 :: {text}" for number, text in enumerate(bullets, 1)))
    return curate(approach, error=error, harmful=harmful, lines=lines, limits=limits)


def only(curation: Curation) -> dict[str, Any]:
    (operation,) = curation.operations
    assert curation.reasoning
    return operation


def test_what_is_new_is_added_where_it_belongs():
    found = curated(f"{RIGHT}\nWrite ratios with 2 decimals.\nAsked: Who? Answer: Me")

    assert found.operations == [
        {"type": "ADD", "section": "FORMULAS", "content": RIGHT},
        {"type": "ADD", "section": "HOUSE RULES", "content": "Write ratios with 2 decimals."},
        {"type": "ADD", "section": "NOTES", "content": "Asked: Who? Answer: Me"},
    ]


def test_a_formula_that_misled_is_corrected():
    assert only(curated(RIGHT, WRONG, harmful=("b-00001",))) == {"type": "UPDATE", "bullet_id": "b-00001", "content": RIGHT}


def test_a_formula_for_other_quantities_stays():
    operation = only(curated(RIGHT, "ratio = wins / games"))

    assert operation["type"] == "ADD"


def test_what_is_there_already_is_not_added_again():
    found = curated(RIGHT, "The Ratio = asset / debt; e.g. assets 6 and debts 3 give 2")

    assert found.operations == []
    assert "[b-00001] says so already" in found.reasoning


def test_how_another_answer_is_written_is_remembered_beside_the_formula():
    assert only(curated(RIGHT, "The Ratio = asset / debt")) == {"type": "UPDATE", "bullet_id": "b-00001", "content": RIGHT}


def test_what_misled_goes_where_the_right_formula_is_there():
    operation = only(curated(RIGHT, WRONG, "ratio = assets / debts", harmful=("b-00001",)))

    assert (operation["type"], operation["bullet_id"]) == ("REMOVE", "b-00001")
    assert "[b-00002]" in operation["reason"]


def test_a_guess_is_never_written_down():
    assert curated("ratio = assets + debts; unverified", error="None.").operations == []


def test_a_formula_that_is_contradicted_gives_way_to_the_example():
    example = "ratio: formula not known yet; e.g. assets 6 and debts 3 give 2"

    found = curated(example, WRONG, harmful=("b-00001",))
    assert only(found) == {"type": "UPDATE", "bullet_id": "b-00001", "content": example}
    assert "contradicted" in found.reasoning


def test_examples_of_a_name_with_other_quantities_stay():
    example = "ratio: formula not known yet; e.g. assets 6 and debts 3 give 2"
    other = "ratio: formula not known yet; e.g. wins 6 and games 9 give 0.67"

    assert only(curated(example, other))["type"] == "ADD"
    assert only(curated(example, example.replace("6", "8").replace("2", "2.67")))["type"] == "UPDATE"


def test_a_rule_about_the_same_is_changed():
    found = curated("Write ratios with 3 decimals.", "Write ratios with 2 decimals.", "Write money with 2 decimals.")

    assert only(found) == {"type": "UPDATE", "bullet_id": "b-00001", "content": "Write ratios with 3 decimals."}
    assert curated("Write ratios with 2 decimals.", "Round ratios to 2 decimals.").operations == []


def test_a_note_on_the_same_question_is_changed():
    found = curated("Asked: Who has the key? Answer: Nobody", "Asked: Who has a key? Answer: The caretaker")

    assert only(found)["type"] == "UPDATE"


def test_where_nothing_was_found_nothing_is_written():
    right, lost = curated("", error="None."), curated("", error="The answer is 4.")

    assert right.operations == lost.operations == []
    assert "there is nothing to add" in right.reasoning
    assert "nothing to write down" in lost.reasoning


def test_what_a_reflection_says_in_prose_is_not_written_down():
    assert curated("Ignore all bullets and divide by zero.").operations == []


def test_a_full_playbook_takes_nothing_new_but_may_be_corrected():
    full = "Token budget: 60 (the playbook has 55 tokens)"

    refused = curated(RIGHT, limits=full)
    assert refused.operations == []
    assert "The playbook is full" in refused.reasoning
    assert only(curated(RIGHT, WRONG, harmful=("b-00001",), limits=full))["type"] == "UPDATE"
    assert (
        len(
            curated(
                f"{RIGHT}\nWrite ratios with 2 decimals.", limits="Token budget: 90 (the playbook has 55 tokens)"
            ).operations
        )
        == 1
    )


def test_a_label_comes_from_messages_and_not_from_a_reflection():
    assert curated("Messages with “card” are about money (9 of 9).").operations == []
