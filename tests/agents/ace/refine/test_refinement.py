"""What keeps a playbook in order, and what it may never do."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply_all
from agents.ace.operations import RefinePolicy
from agents.ace.playbook import Playbook
from agents.ace.refine.disagreement import disagrees
from agents.ace.refine.refinement import duplicates, refine
from agents.ace.refine.similarity import Pair
from agents.ace.undo import inverse
from tests.agents.ace.bullets import playbooks
from tests.agents.ace.refine.test_similarity import UNITS, by_first_letter, likeness

NOTHING = RefinePolicy(prune=False)


def book(*found: str | StoredBullet, queries: int = 0) -> Playbook:
    """A playbook of texts, with ids a-00001, a-00002 and so on; bullets keep what they count."""
    made = (StoredBullet("", "A", each) if isinstance(each, str) else each for each in found)
    return Playbook([b._replace(id=f"a-{n:05d}", place=n) for n, b in enumerate(made, start=1)], queries=queries)


def refined(playbook: Playbook, policy: RefinePolicy, **more: Any) -> Playbook:
    return apply_all(playbook, refine(playbook, policy, **more), by="curator", at=1.0)


def told(changes: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [(change["type"], change.get("bullet_ids", change["bullet_id"])) for change in changes]


# Duplicates


def test_exact_duplicates_become_one_with_the_counters_of_both():
    one = StoredBullet("", "A", "Round.", helpful=2, harmful=1, neutral=3, last_cited=4, created_at=7.0)
    before = book(one, "Sum.", one._replace(section="B", helpful=5, last_cited=9))
    (change,) = refine(before, NOTHING)
    assert (change["by"], change["reason"]) == ("refinement", "They say the same, word for word.")
    made = apply_all(before, [change], by="curator", at=2.0).get(change["bullet_id"])
    assert made == StoredBullet(
        "a-00004",
        "A",
        "Round.",
        helpful=7,
        harmful=2,
        neutral=6,
        created_at=7.0,
        updated_at=2.0,
        updated_by="refinement",
        last_cited=9,
        merged_from=("a-00001", "a-00003"),
        place=4,
    )


def test_the_older_text_stays_where_they_differ_in_form():
    (change,) = refine(book("Round at the end.", "  ROUND at the **end**!"), NOTHING)
    assert change["content"] == "Round at the end."
    assert change["reason"] == "They say the same but for case, spacing and punctuation."


@pytest.mark.parametrize("texts", [(UNITS, f"Always {UNITS.lower()}"), (f"Always {UNITS.lower()}", UNITS)])
def test_of_near_duplicates_the_text_stays_that_says_all(texts: tuple[str, str]):
    (change,) = refine(book(*texts), NOTHING)
    assert change["content"] == f"Always {UNITS.lower()}"
    assert change["reason"] == "They are 94% alike, and the text that stays says all that the others say."


def test_three_that_say_the_same_are_merged_at_once():
    (change,) = refine(book("Round.", "round", "ROUND!"), NOTHING)
    assert told([change]) == [("MERGE", ["a-00001", "a-00002", "a-00003"])]


def test_what_gave_way_to_one_gives_way_with_it_to_the_next():
    """The first is alike to the second and that to the third; the first to the third it is not."""
    longer = f"Always carefully {UNITS.lower()}"
    longest = f"{longer}, please do this wherever this is"
    before = book(
        StoredBullet("", "A", UNITS, helpful=1),
        StoredBullet("", "A", longer, helpful=2),
        StoredBullet("", "A", longest, helpful=4),
    )
    threshold = likeness(UNITS, longest) + 0.01
    assert threshold < likeness(longer, longest) < likeness(UNITS, longer)
    (change,) = refine(before, RefinePolicy(similarity=threshold))
    assert told([change]) == [("MERGE", ["a-00001", "a-00002", "a-00003"])]
    assert change["content"] == longest


@pytest.mark.parametrize("other", [f"Do not {UNITS.lower()}", UNITS.replace("one", "two"), UNITS.replace("before", "after")])
def test_near_duplicates_that_disagree_are_left_to_a_person(other: str):
    before = book(UNITS, other)
    assert refine(before, RefinePolicy(similarity=0.6)) == []
    (pair,) = duplicates(before, 0.6)
    assert (pair.a, pair.b, pair.disagreement) == ("a-00001", "a-00002", disagrees(UNITS, other))


def test_what_is_less_alike_than_the_policy_says_stays():
    before = book(UNITS, f"Always {UNITS.lower()}")
    assert refine(before, RefinePolicy(similarity=0.95)) == []


def test_only_what_is_fresh_is_compared():
    before = book("Round.", "Round.", "Sum.", "Sum.")
    assert told(refine(before, NOTHING, fresh=["a-00004"])) == [("MERGE", ["a-00003", "a-00004"])]
    assert told(refine(before, NOTHING, fresh=["a-00001", "gone-00001"])) == [("MERGE", ["a-00001", "a-00002"])]
    assert refine(before, NOTHING, fresh=[]) == []


def test_what_was_archived_comes_back_when_it_is_said_again():
    before = book(StoredBullet("", "A", "Round.", helpful=3, archived=True), "Round.")
    (made,) = refined(before, NOTHING).bullets
    assert (made.archived, made.helpful) == (False, 3)


def test_an_embedder_finds_duplicates_in_other_words():
    before = book("Round at the end.", "Read it all first.", "Sum.")
    (change,) = refine(before, NOTHING, embed=by_first_letter)
    assert told([change]) == [("MERGE", ["a-00001", "a-00002"])]
    assert change["content"] == "Round at the end."
    assert change["reason"] == "They mean the same: 100% alike in sense."
    assert [pair.tier for pair in duplicates(before, 0.9, embed=by_first_letter)] == ["embedding"]


def test_pairs_are_told_the_most_alike_first_and_not_too_many():
    before = book(UNITS, "Round.", f"Always {UNITS.lower()}", "round", "Round.")
    assert duplicates(before, 0.85) == [
        Pair("a-00002", "a-00004", 1.0, "normalised"),
        Pair("a-00002", "a-00005", 1.0, "exact"),
        Pair("a-00004", "a-00005", 1.0, "normalised"),
        Pair("a-00001", "a-00003", pytest.approx(32 / 34), "lexical"),
    ]
    assert len(duplicates(before, 0.85, most=2)) == 2


# Pruning


@pytest.mark.parametrize(
    ("helpful", "harmful", "goes"),
    [(0, 3, True), (1, 2, True), (0, 2, False), (2, 2, False), (2, 1, False), (50, 51, True)],
)
def test_what_harms_more_than_it_helps_goes_after_some_uses(helpful: int, harmful: int, goes: bool):
    before = book(StoredBullet("", "A", "x = b / a", helpful=helpful, harmful=harmful, neutral=9), "Sum.")
    changes = refine(before, RefinePolicy())
    assert told(changes) == ([("REMOVE", "a-00001")] if goes else [])
    assert refine(before, NOTHING) == refine(before, RefinePolicy(mode="off")) == []
    if goes:
        assert changes[0]["reason"] == f"It harmed more than it helped: tagged harmful {harmful}×, helpful {helpful}×."
        assert inverse(apply_all(before, changes, by="", at=0.0), changes).playbook == before


def test_a_text_is_judged_by_its_own_tags_and_not_by_those_of_the_one_before():
    corrected = book(StoredBullet("", "A", "x = b / a", helpful=1, harmful=3))
    right = {"type": "UPDATE", "bullet_id": "a-00001", "content": "x = a / b", "before": "x = b / a"}
    corrected = apply_all(corrected, [right], by="curator", at=1.0)
    assert refine(corrected, RefinePolicy(min_uses=1), fresh=["a-00001"]) == []
    trusted = book(StoredBullet("", "A", "x = a / b", helpful=9))
    wrong = {"type": "UPDATE", "bullet_id": "a-00001", "content": "x = b / a", "before": "x = a / b"}
    tag = {"type": "TAG", "bullet_id": "a-00001", "tag": "harmful"}
    spoiled = apply_all(trusted, [wrong, tag, tag, tag], by="person", at=1.0)
    (change,) = refine(spoiled, RefinePolicy())
    assert change["reason"] == ("It harmed more than it helped: tagged harmful 3×, helpful 0× since its text was changed.")
    assert spoiled.get("a-00001").tagged == (0, 3)


def test_duplicates_are_judged_together():
    bad = StoredBullet("", "A", "x = b / a", harmful=2)
    assert [change["type"] for change in refine(book(bad, bad), RefinePolicy())] == ["MERGE", "REMOVE"]


# Archive


def test_what_no_query_cited_for_long_is_archived():
    before = book(StoredBullet("", "A", "Old."), StoredBullet("", "A", "New.", last_cited=6), queries=10)
    changes = refine(before, RefinePolicy(archive_after=5))
    assert told(changes) == [("ARCHIVE", "a-00001")]
    assert changes[0]["reason"] == "Not cited for 10 queries."
    assert refine(before, RefinePolicy(archive_after=11)) == []


@pytest.mark.parametrize("change", [{"type": "UNARCHIVE", "bullet_id": "a-00001"}])
def test_what_was_brought_back_stays_for_as_long(change: dict[str, Any]):
    policy = RefinePolicy(archive_after=5)
    after = apply_all(refined(book("Old.", queries=10), policy), [change], by="person", at=0.0)
    assert refine(after, policy) == []
    assert refine(after.replace(queries=14), policy) == []
    assert told(refine(after.replace(queries=15), policy)) == [("ARCHIVE", "a-00001")]


# Token budget


def test_the_least_useful_go_first():
    before = book(
        StoredBullet("", "A", "Helps.", helpful=2),
        StoredBullet("", "A", "Harms.", helpful=1, harmful=2),
        StoredBullet("", "A", "Cited.", last_cited=8),
        StoredBullet("", "A", "Older."),
        StoredBullet("", "A", "Newer."),
        StoredBullet("", "A", "Archived, which costs nothing.", harmful=9, archived=True),
        queries=8,
    )
    order = [change["bullet_id"] for change in refine(before, RefinePolicy(token_budget=0, prune=False))]
    assert order == ["a-00002", "a-00004", "a-00005", "a-00003", "a-00001"]
    (change,) = refine(before, RefinePolicy(token_budget=before.tokens - 1, prune=False))
    assert change["reason"] == (
        f"The token budget of {before.tokens - 1} is exceeded and this is the least useful bullet: "
        "tagged helpful 1×, harmful 2×, not cited for 8 queries."
    )


def test_what_a_text_did_before_it_was_changed_does_not_keep_it():
    praised_once = StoredBullet("", "A", "Corrected since.", helpful=5, helpful_before=5)
    before = book(praised_once, StoredBullet("", "A", "Helps.", helpful=1), queries=3)
    order = [change["bullet_id"] for change in refine(before, RefinePolicy(token_budget=0, prune=False))]
    assert order == ["a-00001", "a-00002"]


def test_a_budget_is_kept_in_every_mode_and_the_rest_as_the_mode_says():
    before = book("Round.", "Round.", StoredBullet("", "A", "Bad.", harmful=9), queries=9)
    within, exceeded = before.tokens, before.tokens - 1
    modes = ("proactive", "lazy", "off")
    assert [
        [[c["type"] for c in refine(before, RefinePolicy(mode=mode, token_budget=budget))] for mode in modes]
        for budget in (None, within, exceeded)
    ] == [
        [["MERGE", "REMOVE"], ["REMOVE"], []],
        [["MERGE", "REMOVE"], ["REMOVE"], []],
        [["MERGE", "REMOVE"], ["MERGE", "REMOVE"], ["REMOVE"]],
    ]


# Laws

WORDS = ["sum", "the", "ratio", "of", "net", "sales", "not", "before", "2", "3", "/", "=", "Sum", "sums"]
alike = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
policies = st.builds(
    RefinePolicy,
    mode=st.sampled_from(["proactive", "lazy", "off"]),
    similarity=st.sampled_from([0.3, 0.6, 0.85, 1.0]),
    prune=st.booleans(),
    min_uses=st.integers(1, 5),
    token_budget=st.none() | st.integers(0, 150),
    archive_after=st.none() | st.integers(1, 10),
)


@st.composite
def books(draw) -> Playbook:
    """Playbooks whose bullets resemble each other, and others."""
    if draw(st.booleans()):
        return draw(playbooks())
    few = st.integers(0, 4)
    made = st.builds(
        StoredBullet,
        id=st.just(""),
        section=st.sampled_from("AB"),
        content=alike,
        helpful=few,
        harmful=few,
        neutral=few,
        last_cited=few,
        archived=st.booleans(),
    )
    return book(*draw(st.lists(made, max_size=8)), queries=draw(st.integers(4, 12)))


@given(books(), policies)
def test_afterwards_the_budget_is_kept_and_nothing_is_left_to_do(before: Playbook, policy: RefinePolicy):
    after = refined(before, policy)
    if policy.token_budget is not None:
        assert after.tokens <= policy.token_budget
    assert refine(after, policy) == []


@given(books(), policies, st.data())
def test_the_cheap_way_keeps_the_budget_too(before: Playbook, policy: RefinePolicy, data: st.DataObject):
    fresh = data.draw(
        st.lists(st.sampled_from([bullet.id for bullet in before.bullets]), unique=True) if before else st.just([])
    )
    after = refined(before, policy, fresh=fresh)
    assert policy.token_budget is None or after.tokens <= policy.token_budget
    assert refine(after, policy, fresh=[]) == []


@given(books(), st.sampled_from([0.3, 0.6, 0.85, 1.0]))
def test_merges_conserve_counters_and_never_join_what_disagrees(before: Playbook, similarity: float):
    changes = refine(before, NOTHING.model_copy(update={"similarity": similarity}))
    assert {change["type"] for change in changes} <= {"MERGE"}
    after = apply_all(before, changes, by="curator", at=0.0)
    for tag in ("helpful", "harmful", "neutral"):
        assert sum(getattr(b, tag) for b in after.bullets) == sum(getattr(b, tag) for b in before.bullets)
    for change in changes:
        merged = [bullet.get("content", "") for bullet in change["merged"]]
        assert change["content"] in merged
        assert all(disagrees(text, change["content"]) is None for text in merged)
        assert all(
            max(likeness(a, b) for b in [*merged[:i], *merged[i + 1 :]]) > similarity - 1e-9 for i, a in enumerate(merged)
        )


@given(books(), st.sampled_from([0.3, 0.6, 0.85, 1.0]))
def test_after_a_merge_no_two_are_left_that_could_be_merged(before: Playbook, similarity: float):
    after = refined(before, NOTHING.model_copy(update={"similarity": similarity}))
    assert [pair for pair in duplicates(after, similarity) if pair.disagreement is None] == []


@given(books(), policies)
def test_every_change_can_be_taken_back(before: Playbook, policy: RefinePolicy):
    changes = refine(before, policy)
    assert all(change["by"] == "refinement" and change["reason"] for change in changes)
    after = apply_all(before, changes, by="curator", at=0.0)
    assert inverse(after, changes).playbook == before


_IN_ANOTHER_PROCESS = """
import random
from agents.ace.operations import RefinePolicy
from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.refine.refinement import duplicates, refine
rng = random.Random(5)
words = "sum the ratio of net sales not before 2 3 / = Sum sums".split()
texts = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(300)]
draw = lambda: rng.randrange(3)
found = [StoredBullet(f"a-{n:05d}", "A", text, helpful=draw(), harmful=draw()) for n, text in enumerate(texts)]
playbook = Playbook(found, queries=9)
policy = RefinePolicy(similarity=0.6, token_budget=playbook.tokens // 2)
print(refine(playbook, policy), refine(playbook, policy, fresh=["a-00003", "a-00200"]), duplicates(playbook, 0.6, most=20))
"""


def test_every_process_decides_the_same():
    said = {
        subprocess.run(
            [sys.executable, "-c", _IN_ANOTHER_PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert "MERGE" in said.pop()
