"""A sequence of chunks behaves as a dictionary by place would, and shares what did not change."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.ace.ordered import MOST, Chunk, Edited, Ordered


class Item(NamedTuple):
    place: int
    text: str = ""


def ordered(places) -> Ordered[Item]:
    return Ordered[Item].of([Item(place) for place in sorted(places)])


steps = st.lists(st.tuples(st.sampled_from(["put", "put", "take"]), st.integers(1, 400)), max_size=60)


@given(st.sets(st.integers(1, 400), max_size=400), steps)
@settings(max_examples=60)
def test_changes_come_to_what_they_would_in_a_dictionary(places, steps):
    made, model = ordered(places), {place: Item(place) for place in places}
    for number, (step, place) in enumerate(steps):
        before, was = list(made), made
        if step == "put":
            made = made.with_item(Item(place, str(number)))
            model[place] = Item(place, str(number))
        elif place in model:
            made = made.without(place)
            del model[place]
        assert list(was) == before
        assert list(made) == [model[place] for place in sorted(model)]
        assert made.get(place) == model.get(place)
    assert all(0 < len(chunk.items) <= MOST for chunk in made.chunks)
    assert all(made.get(place) == model.get(place) for place in range(402))


@given(st.sets(st.integers(1, 400), max_size=400), steps, st.integers(0, 60))
@settings(max_examples=60)
def test_changes_in_place_come_to_the_same(places, steps, looked):
    base = ordered(places)
    before, made, model = list(base), Edited(base), {place: Item(place) for place in places}
    for number, (step, place) in enumerate(steps):
        if step == "put":
            model[place] = Item(place, str(number))
            assert made.with_item(model[place]) is made
        elif place in model:
            del model[place]
            assert made.without(place) is made
        if number == looked:
            assert list(made) == [model[place] for place in sorted(model)]
        assert made.get(place) == model.get(place)
    assert list(made) == [model[place] for place in sorted(model)]
    assert all(0 < len(chunk.items) <= MOST for chunk in made.chunks)
    assert all(made.get(place) == model.get(place) for place in range(402))
    assert list(base) == before


def test_nothing_has_no_chunks_and_can_be_filled():
    empty = ordered([])
    assert (list(empty), list(empty.chunks), empty.get(1)) == ([], [], None)
    one = empty.with_item(Item(5))
    assert list(one) == [Item(5)]
    assert list(one.without(5).chunks) == []


def test_a_change_leaves_all_chunks_but_one_as_they_are():
    before = ordered(range(1, 1001))
    after = before.with_item(Item(500, "new"))
    new = [chunk for chunk in after.chunks if all(chunk is not old for old in before.chunks)]
    assert len(new) == 1
    assert Item(500, "new") in new[0].items


def test_a_full_chunk_is_cut_in_two():
    made = ordered([])
    for place in range(1, MOST + 2):
        made = made.with_item(Item(place))
    assert [len(chunk.items) for chunk in made.chunks] == [MOST // 2, MOST // 2 + 1]


def test_what_was_computed_of_a_chunk_is_kept_by_name():
    calls = []

    def count(items):
        calls.append(items)
        return len(items)

    chunk = Chunk((Item(1), Item(2)))
    assert [chunk.computed("size", count), chunk.computed("size", count), len(calls)] == [2, 2, 1]
    assert chunk.computed("other", lambda items: None) is None
    assert chunk.computed("other", count) is None
