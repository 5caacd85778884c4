from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ace.roles.guard import have_in_common
from agents.models.simulated.language.words import words_beside
from agents.pipelines.ace.simulation.lessons.label import Label, find_label, read_label, write_label
from tests.agents.pipelines.ace.simulation.lessons.learning import Pupil, count_right, taught

DATA = words_beside(__file__, "labels.toml")
Rows = list[tuple[str, str]]
DECLINED, LOST = "My card was declined at the shop", "I lost my parcel on the train"


def rows_of(language: str, *halves: str) -> Rows:
    return [(text, label) for half in halves for label, texts in DATA[language][half].items() for text in texts]


def shuffled(rows: Rows, seed: int) -> Rows:
    return random.Random(seed).sample(rows, len(rows))


def with_shuffled_truth(rows: Rows, seed: int) -> Rows:
    return [(text, label) for (text, _), (_, label) in zip(rows, shuffled(rows, seed), strict=True)]


def count_wrong(pupil: Pupil, rows: Rows) -> int:
    """How many messages get the label of another one."""
    labels = {label for _, label in rows}
    return sum(pupil.answer(text) in labels - {label} for text, label in rows)


# -- the set


@pytest.mark.parametrize(("language", "least"), [("english", 19), ("japanese", 4), ("chinese", 4)])
def test_half_of_the_messages_teach_labels_for_the_other_half(language, least):
    known, unseen = rows_of(language, "tuned_on"), rows_of(language, "unseen")
    assert count_right(Pupil(), [*known, *unseen]) == 0

    pupil = taught(known)

    assert count_right(pupil, unseen) >= least
    assert count_wrong(pupil, unseen) == 0


@pytest.mark.parametrize(("language", "least", "labels"), [("english", 56, 6), ("japanese", 15, 3), ("chinese", 14, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_after_all_messages_in_any_order_nearly_all_are_known(language, least, labels, seed):
    rows = shuffled(rows_of(language, "tuned_on", "unseen"), seed)

    pupil = taught(rows)

    assert len(pupil.bullets) == labels
    assert count_right(pupil, rows) >= least
    assert count_wrong(pupil, rows) == 0


def test_without_its_bullets_no_label_is_known():
    rows = rows_of("english", "tuned_on", "unseen")
    pupil = taught(rows)
    pupil.lines.clear()

    assert count_right(pupil, rows) == 0


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_truths_teach_next_to_nothing(seed):
    known, unseen = rows_of("english", "tuned_on"), rows_of("english", "unseen")

    assert count_right(taught(with_shuffled_truth(known, seed)), unseen) <= 5, "of 30, chance: 5"


def test_what_is_about_something_else_gets_no_label():
    rows = rows_of("english", "tuned_on")
    labels, pupil = {label for _, label in rows}, taught(rows)

    assert sum(pupil.answer(text) in labels for text in DATA["unrelated"]["messages"]) <= 1, "of 12"


# -- its rules


def test_a_second_example_makes_a_label_that_can_be_judged():
    pupil = taught([(DECLINED, "card_declined"), ("They declined both cards", "card_declined")])

    assert pupil.bullets == ["Messages with “card” (2), “declined” (2), “both”, “shop” are about card_declined (2 of 2)."]


def test_one_label_alone_is_not_used():
    pupil = taught([(DECLINED, "card_declined"), ("They declined both cards", "card_declined")])

    assert pupil.answer("declined card") != "card_declined"


def test_an_edited_bullet_is_used_as_it_is_read():
    known = [
        ("a", read_label('Messages with "Tram ticket", “fare” (2) are about travel.')),
        ("b", read_label("Messages with “salary” are about pay (2 of 2).")),
    ]
    labels = [(key, label) for key, label in known if label]

    found = [find_label(text, labels) for text in ("two fares", "the tram ticket", "my salary", "my dog")]
    assert found == ["a", "a", "b", None]


def test_a_label_that_misled_counts_it():
    pupil = taught(
        [
            (DECLINED, "card_declined"),
            ("They declined both cards", "card_declined"),
            (LOST, "lost_parcel"),
            ("Parcel lost on a train to Rome", "lost_parcel"),
        ]
    )
    before = [bullet for bullet in pupil.bullets if "card_declined" in bullet]

    pupil.teach("declined card", "library")

    after = [bullet for bullet in pupil.bullets if "card_declined" in bullet]
    assert before[0].endswith("(2 of 2).")
    assert after == [before[0].replace("(2 of 2)", "(2 of 3)")]


@pytest.mark.parametrize(
    ("questions", "answer"),
    [
        (("Who handles payroll?", "Who approves the travel budget?"), "Maria"),
        (("Is the office open?", "May I bring a dog?"), "yes"),
        (("What wood is the Oslo table?", "What is used for the floor?"), "oak"),
        (("The lamp came broken", "I never got the vase"), "call 4411"),
    ],
)
def test_a_fact_is_no_label(questions, answer):
    pupil = taught((question, answer) for question in questions)

    assert len(pupil.bullets) == 2
    assert all(bullet.startswith("Asked: ") for bullet in pupil.bullets)


def test_messages_that_are_no_questions_share_a_label_in_plain_words():
    pupil = taught([("The lamp came broken", "Damaged goods"), ("My vase has a crack", "damaged goods.")])

    assert pupil.bullets == ["Messages with “broken”, “came”, “crack”, “lamp”, “vase” are about Damaged goods (2 of 2)."]


@pytest.mark.parametrize("language", ["english", "japanese", "chinese"])
def test_the_change_of_a_bullet_keeps_words_of_it(language):
    pupil, changes = Pupil(), 0
    for text, label in shuffled(rows_of(language, "tuned_on"), 1):
        before = {line.id: line.content for line in pupil.lines}
        pupil.teach(text, label)
        changed = [line.content for line in pupil.lines if before.get(line.id, line.content) != line.content]
        changes += len(changed)
        assert all(any(have_in_common(old, new) for old in before.values()) for new in changed)
    assert changes > 0


def test_a_label_is_read_as_it_was_written():
    label = Label("card_declined", Counter({"declined": 3, "残高": 2, "card": 1}), 5, 6)

    assert write_label(label) == "Messages with “declined” (3), “残高” (2), “card” are about card_declined (5 of 6)."
    assert read_label(write_label(label)) == label


@pytest.mark.parametrize(
    "text",
    [
        "Messages are about cards.",
        "Messages with care are about cards (2 of 2).",
        "Messages with “the” are about cards (2 of 2).",
        "Messages with “card” are about  (2 of 2).",
    ],
)
def test_a_sentence_without_words_or_name_is_no_label(text):
    assert read_label(text) is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=40))
def test_any_text_is_read_and_asked(words, name, question):
    label = read_label(f"Messages with “{words}” are about {name}")

    assert label is None or find_label(question, [("a", label), ("b", label._replace(name="other"))]) is None


def examples_of(pupil: Pupil) -> list[int]:
    return [label.examples for bullet in pupil.bullets if (label := read_label(bullet))]


def test_a_label_grows_with_each_right_answer_and_a_word_of_the_messages_is_a_label():
    refunds = ["返金はいつですか", "返金がまだ届きません", "ランプの返金をお願いします"]
    parcels = ["荷物がまだ届きません", "荷物はどこですか", "荷物の配送先を変えたい"]
    pupil = taught([*((text, "返金") for text in refunds), *((text, "荷物") for text in parcels)])

    assert examples_of(pupil) == [3, 3]
    assert pupil.answer("チケットの返金を希望します") == "返金"

    pupil.teach("チケットの返金を希望します", "返金")
    assert examples_of(pupil) == [4, 3]
