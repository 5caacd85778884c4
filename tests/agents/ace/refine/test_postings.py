"""The few that are compared hold all that are alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.ace.refine.postings import Numbering, Postings, jaccard, reaches

sets = st.sets(st.sampled_from("abcdefghij"), min_size=1, max_size=8)
thresholds = st.sampled_from([0.3, 0.5, 2 / 3, 0.75, 0.8, 0.85, 1.0])


@given(st.lists(sets, max_size=12), sets, thresholds, thresholds, st.booleans())
def test_no_set_that_is_alike_is_missed(found: list[set[str]], asked: set[str], one: float, other: float, counted: bool):
    lowest, threshold = sorted([one, other])
    numbering, postings = Numbering(), Postings(lowest)
    if counted:
        numbering.count(found)
    features = [numbering.of(each) for each in found]
    for who, each in enumerate(features):
        postings.add(who, each)
    own = numbering.of_passing(asked)
    candidates = {who for group in postings.groups(own, threshold) for who in group}
    alike = {who for who, each in enumerate(found) if reaches(len(each & asked) / len(each | asked), threshold)}
    assert alike <= candidates
    assert alike == {who for who in candidates if reaches(jaccard(frozenset(own), features[who]), threshold)}


@given(st.lists(sets, min_size=1, max_size=8), thresholds)
def test_what_is_removed_is_not_found(found: list[set[str]], threshold: float):
    numbering, postings = Numbering(), Postings(threshold)
    features = [numbering.of(each) for each in found]
    for who, each in enumerate(features):
        postings.add(who, each)
    for who, each in enumerate(features[1:], start=1):
        postings.remove(who, each)
    assert {who for each in features for group in postings.groups(each, threshold) for who in group} == {0}


def test_rare_features_come_first_and_new_ones_before_them():
    numbering = Numbering()
    numbering.count([{"often", "seldom"}, {"often"}, {"often"}])
    often, seldom, new = (numbering.of({name})[0] for name in ("often", "seldom", "new"))
    assert new < seldom < often
    assert numbering.of_passing({"other", "often"})[1] == often
    assert numbering.of_passing({"other"})[0] < new


def test_it_counts_again_when_there_are_twice_as_many():
    numbering = Numbering()
    assert not numbering.is_outgrown(64)
    assert numbering.is_outgrown(65)
    numbering.count([{"a"}] * 100)
    assert not numbering.is_outgrown(200)
    assert numbering.is_outgrown(201)
