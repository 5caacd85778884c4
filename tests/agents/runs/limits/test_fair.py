"""Whose turn it is."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from agents.runs.limits.fair import next_turn, turns
from agents.storage.use.store import Place


def places(text: str) -> list[Place]:
    """One place a word, in the order in which they come: the user, with a star if it is under way."""
    there: list[Place] = []
    for number, word in enumerate(text.split()):
        user = word.rstrip("*")
        there.append(Place(str(number), "run", user, "h", started=word.endswith("*"), turn=next_turn(there, user)))
    return there


def told(text: str, **limits) -> tuple[str, str]:
    found = turns(places(text), **{"of_user": None, "of_all": None, **limits})
    return " ".join(sorted(found.may_start, key=int)), " ".join(found.waiting)


def order(text: str, *, of_all: int) -> str:
    """The users in the order in which their runs begin, each of which ends before the next one begins where it must."""
    there, begun = places(text), []
    while there:
        if running := [place for place in there if place.started][:1]:
            there.remove(running[0])
        now = turns(there, of_user=None, of_all=of_all).may_start
        begun += [place.user_id for place in sorted(there, key=lambda place: place.turn) if place.id in now]
        there = [place._replace(started=True) if place.id in now else place for place in there]
    return " ".join(begun)


def test_without_limits_all_may_start():
    assert told("a* a b") == ("1 2", "")


def test_users_take_turns():
    assert told("a a a b c b", of_all=3) == ("0 3 4", "1 5 2")
    assert order("a* a a a b c", of_all=1) == "b c a a a"
    assert order("a* a a b b b", of_all=1) == "b a b a b"


def test_who_comes_late_does_not_wait_for_all_runs_of_another_user():
    assert order("a* " + "a " * 50 + "b", of_all=1).startswith("b a a")


def test_a_user_at_the_limit_keeps_nobody_else_waiting():
    assert told("a* a* a b", of_user=2, of_all=4) == ("3", "2")


def test_nothing_is_free():
    assert told("a* b* a b", of_all=2) == ("", "2 3")
    assert told("a* b* c", of_all=1) == ("", "2")


USERS = st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=30)
LIMIT = st.none() | st.integers(0, 6)


@given(USERS, LIMIT, LIMIT)
def test_no_limit_is_passed_and_no_place_is_lost(users, of_user, of_all):
    there = places(" ".join(user + "*" * started for user, started in users))
    found = turns(there, of_user=of_user, of_all=of_all)
    waiting = {place.id for place in there if not place.started}
    assert found.may_start | set(found.waiting) == waiting
    assert len(found.may_start) + len(found.waiting) == len(waiting)
    running = Counter(place.user_id for place in there if place.started)
    begun = running + Counter(place.user_id for place in there if place.id in found.may_start)
    if found.may_start and of_all is not None:
        assert begun.total() <= of_all
    for place in there:
        if place.id in found.may_start:
            assert of_user is None or begun[place.user_id] <= of_user
        if place.id in found.waiting and (of_user is None or begun[place.user_id] < of_user):
            assert of_all is not None, "nothing but the limit of all keeps it waiting"
            assert begun.total() >= of_all


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30))
def test_of_two_who_wait_none_is_more_than_one_turn_ahead(users):
    begun = order("z* " + " ".join(users), of_all=1).split()
    assert sorted(begun) == sorted(users)
    for done in range(len(begun)):
        had = Counter(begun[:done])
        assert all(had[user] >= max(had.values(), default=0) - 1 for user in begun[done:])
