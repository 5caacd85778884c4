"""What is found to be alike, compared with the slow and obvious way to find it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.refine.disagreement import disagrees
from agents.ace.refine.similarity import Index, Match, Pair
from agents.ace.refine.wording import plain, words_of
from tests.agents.ace.bullets import texts

UNITS = "Compare the units of both sides before dividing one of them by the other side of it all"
WORDS = ["sum", "the", "ratio", "of", "net", "sales", "not", "before", "2", "3", "/", "=", "Sum", "sums"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
contents = sentences | texts
thresholds = st.sampled_from([0.2, 0.5, 0.6, 0.75, 0.85, 1.0])


def likeness(one: str, other: str) -> float:
    """The Jaccard index of words and pairs of words, straight from its definition."""

    def features(text: str) -> set[tuple[str, ...]]:
        words = words_of(plain(text))
        return {(word,) for word in words} | {words[at : at + 2] for at in range(len(words) - 1)}

    mine, others = features(one), features(other)
    return len(mine & others) / len(mine | others)


def index_of(*found: str, embed=None) -> Index:
    index = Index(embed)
    index.add_all((str(number), text) for number, text in enumerate(found))
    return index


def by_first_letter(found: Sequence[str]) -> list[list[float]]:
    """An embedder for which texts mean the same that begin with the same letter."""
    return [[float(text[:1].lower() == letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in found]


@pytest.mark.parametrize(
    ("text", "tier", "score"),
    [
        (UNITS, "exact", 1.0),
        (f"  **{UNITS.upper()}**!", "normalised", 1.0),
        (f"Always {UNITS.lower()}", "lexical", 32 / 34),
    ],
)
def test_each_tier_finds_its_own(text: str, tier: str, score: float):
    (match,) = index_of("Write money with 2 decimals.", UNITS).nearest(text, 0.85)
    assert match == Match("1", pytest.approx(score), tier)


def test_other_words_are_not_alike_without_an_embedder():
    assert index_of("Round at the end.").nearest("Read all that is asked before rounding.", 0.5) == []


def test_an_embedder_finds_what_means_the_same():
    index = index_of("Round at the end.", "Sum first.", embed=by_first_letter)
    assert index.nearest("Read nothing into it.", 0.85) == [Match("0", pytest.approx(1), "embedding")]
    assert index.cosines("Start.") == {"0": 0, "1": 1}
    assert index_of("Sum first.").cosines("Start.") == {}


def test_a_text_is_embedded_once():
    asked: list[str] = []

    def embed(found: Sequence[str]) -> list[list[float]]:
        asked.extend(found)
        return by_first_letter(found)

    index = index_of("Round.", "Sum.", embed=embed)
    assert list(index.pairs(0.9)) == []
    index.add("2", "Read.")
    assert list(index.pairs(0.9)) == [Pair("0", "2", pytest.approx(1), "embedding")]
    assert sorted(asked) == ["Read.", "Round.", "Sum."]


def test_what_words_tell_apart_no_embedder_makes_one():
    index = index_of("Call spotify to list the songs", embed=lambda found: [[1.0] for _ in found])
    asked = "Call venmo to list the songs"
    assert index.nearest(asked, 0.9, agreeing=True) == []
    assert index.nearest(asked, 0.9) == [Match("0", pytest.approx(1), "embedding")]


@given(st.lists(contents, max_size=10), contents, thresholds)
def test_nearest_is_all_that_is_near(found: list[str], asked: str, threshold: float):
    matches = index_of(*found).nearest(asked, threshold)
    assert {m.id: m.score for m in matches} == {
        str(number): likeness(asked, text) for number, text in enumerate(found) if likeness(asked, text) >= threshold - 1e-9
    }
    assert [m.score for m in matches] == sorted((m.score for m in matches), reverse=True)


@given(st.lists(contents, max_size=10), thresholds, st.booleans())
def test_pairs_are_all_pairs(found: list[str], threshold: float, agreeing: bool):
    pairs = list(index_of(*found).pairs(threshold, agreeing=agreeing))
    expected = {
        (str(one), str(other))
        for one, other in combinations(range(len(found)), 2)
        if likeness(found[one], found[other]) >= threshold - 1e-9 and not (agreeing and disagrees(found[one], found[other]))
    }
    assert sorted((pair.a, pair.b) for pair in pairs) == sorted(expected)


def test_many_that_are_alike_are_told_apart_by_claims():
    """The blocks of agreeing texts, which are used where the postings lead to very many."""
    found = [f"{UNITS} in case {number}" for number in range(300)] + [f"Always {UNITS} in case 7", f"{UNITS} in case 9!"]
    pairs = list(index_of(*found).pairs(0.85, agreeing=True))
    assert sorted((pair.a, pair.b, pair.tier) for pair in pairs) == [("7", "300", "lexical"), ("9", "301", "normalised")]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | sentences), max_size=12), sentences, thresholds)
def test_an_index_that_changed_finds_what_a_new_one_finds(steps, asked: str, threshold: float):
    index, left = Index(), dict[str, str]()
    for id_, text in steps:
        index.nearest(asked, threshold)
        if text is None:
            index.remove(id_)
            left.pop(id_, None)
        else:
            index.add(id_, text)
            left[id_] = text
    fresh = Index()
    fresh.add_all(left.items())
    assert len(index) == len(left)
    assert set(index.nearest(asked, threshold)) == set(fresh.nearest(asked, threshold))


def test_it_grows_past_where_it_counted():
    index = Index()
    for number in range(300):
        index.add(str(number), f"Rule number {number} says what to do")
        assert [match.id for match in index.nearest(f"rule number {number} says what to do!", 1)] == [str(number)]
    assert "299" in index
    assert "300" not in index


def playbook(*found: str) -> Playbook:
    return Playbook([StoredBullet(f"a-{number:05d}", "A", text) for number, text in enumerate(found)], name="followed")


def test_the_index_of_a_playbook_follows_it():
    many = playbook(*(f"Rule number {number} says what to do" for number in range(400)))
    with Index.of(many) as index:
        assert len(index) == 400
    changed = many.without("a-00005").with_bullet(StoredBullet("a-00400", "A", UNITS, archived=True, place=401))
    edited = changed.get("a-00007")
    assert edited is not None
    changed = changed.with_bullet(edited._replace(content="Something else"))
    with Index.of(changed) as again:
        assert again is index
        assert [match.id for match in again.nearest(UNITS, 1)] == ["a-00400"]
        assert again.nearest("Rule number 5 says what to do", 1) == []
        assert again.nearest("Rule number 7 says what to do", 1) == []
        assert [match.id for match in again.nearest("Something else", 1)] == ["a-00007"]


def test_two_at_once_have_an_index_each_and_an_error_throws_one_away():
    here = playbook("One.", "Two.")
    with Index.of(here) as one, Index.of(here) as other:
        assert one is not other
    with pytest.raises(KeyError), Index.of(here) as broken:
        raise KeyError
    with Index.of(here) as after:
        assert after is not broken


def test_another_embedder_has_another_index():
    here = playbook("Round.", "Read.")
    with Index.of(here) as without:
        assert list(without.pairs(0.9)) == []
    with Index.of(here, by_first_letter) as index:
        assert [pair.tier for pair in index.pairs(0.9)] == ["embedding"]
