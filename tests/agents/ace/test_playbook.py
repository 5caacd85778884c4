"""`Playbook` as a value: what it answers, what changes share, and what is counted along."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet, number_of, section_key, slug_of
from agents.ace.value.tokens import count_tokens
from tests.agents.ace.bullets import counts, playbooks, texts, unhurried
from tests.agents.ace.deltas import batches, do, start

A = StoredBullet("units-00001", "units", "Compare units.", helpful=2, harmful=1)
B = StoredBullet("rates-00002", "rates", "Divide by the base.", neutral=4)
C = StoredBullet("units-00003", "units", "Percent is of 100.", archived=True)


def book() -> Playbook:
    return Playbook([A, B, C], name="n", revision=7)


def test_bullets_without_a_place_get_one_in_their_order():
    made = book()
    assert [bullet.place for bullet in made.bullets] == [1, 2, 3]
    assert [bullet.id for bullet in made.bullets] == [A.id, B.id, C.id]
    assert (made.name, made.revision, made.next_number, made.queries) == ("n", 7, 4, 0)


def test_places_that_grow_are_kept_and_others_given_again():
    grows = [A._replace(place=4), B._replace(place=9)]
    assert list(Playbook(grows).bullets) == grows
    assert Playbook(grows).next_number == 10
    for places in ([4, 4], [9, 4], [0, 1]):
        made = Playbook([A._replace(place=places[0]), B._replace(place=places[1])])
        assert [bullet.place for bullet in made.bullets] == [1, 2]


def test_two_bullets_of_one_id_are_refused():
    with pytest.raises(ValueError, match=r"'units-00001'.*give one of them another"):
        Playbook([A, B, A])


def test_it_is_asked_by_id_and_by_section():
    made = book()
    assert (len(made), A.id in made, "nobody-00001" in made, 3 in made) == (3, True, False, False)
    assert made.get(B.id).content == "Divide by the base."
    assert made.get("nobody-00001") is None
    assert {name: [bullet.id for bullet in bullets] for name, bullets in made.sections.items()} == {
        "units": [A.id, C.id],
        "rates": [B.id],
    }
    assert list(made.sections) == ["units", "rates"]
    assert [bullet.id for bullet in made.active] == [A.id, B.id]
    assert repr(made) == "Playbook(name='n', revision=7, 3 bullets)"
    assert made.as_reference() == {"playbook": "n", "revision": 7, "bullets": 3}


def test_equal_is_what_says_and_counts_the_same():
    same = Playbook([A._replace(created_at=5.0, created_by="x", last_cited=3, place=8), B, C], name="other", revision=1)
    assert book() == same
    assert hash(book()) == hash(same)
    for other in (
        [A._replace(content="x"), B, C],
        [A._replace(helpful=3), B, C],
        [A._replace(neutral=1), B, C],
        [A._replace(archived=True), B, C],
        [A._replace(section="x"), B, C],
        [B, A, C],
        [A, B],
        [A, B, C._replace(id="units-00004")],
    ):
        assert book() != Playbook(other)
    assert book() != "a playbook"


def test_the_order_that_counts_is_by_section():
    assert Playbook([A, B, C]) == Playbook([A, C, B])


def test_a_change_leaves_the_playbook_as_it_was():
    before = book()
    text = before.to_json()
    changed = before.with_bullet(B._replace(content="Other.", place=2)).without(A.id).replace(name="m", queries=3)
    assert before.to_json() == text
    assert [(bullet.id, bullet.content) for bullet in changed.bullets] == [(B.id, "Other."), (C.id, C.content)]
    assert (changed.name, changed.queries, changed.revision) == ("m", 3, 7)
    assert list(changed.sections) == ["rates", "units"]
    assert list(before.sections) == ["units", "rates"]


def test_a_bullet_without_a_place_is_put_last_or_where_it_was():
    made = book().with_bullet(StoredBullet("rates-00009", "rates", "New.")).with_bullet(A._replace(content="Newer."))
    assert [(bullet.id, bullet.place) for bullet in made.bullets] == [(A.id, 1), (B.id, 2), (C.id, 3), ("rates-00009", 4)]
    assert made.get(A.id).content == "Newer."
    assert made.next_number == 10


def test_a_bullet_may_move():
    moved = book().with_bullet(A._replace(place=8))
    assert [bullet.id for bullet in moved.bullets] == [B.id, C.id, A.id]
    assert moved.get(A.id).place == 8
    assert list(moved.with_bullet(StoredBullet("x-00009", "x", "x")).sections) == ["rates", "units", "x"]


def test_a_bullet_that_was_taken_out_comes_back_to_its_place():
    back = book().without(B.id).with_bullet(B._replace(place=2))
    assert [bullet.id for bullet in back.bullets] == [A.id, B.id, C.id]
    assert list(back.sections) == ["units", "rates"]


def test_taking_out_what_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        book().without("nobody-00001")


def test_an_id_that_was_taken_out_leaves_its_number_used():
    assert book().without(C.id).next_number == 4


def test_copies_are_the_same_object():
    made = book()
    assert copy.copy(made) is made
    assert copy.deepcopy({"playbook": made})["playbook"] is made


def test_stats_count_it_through():
    assert book().stats() == {
        "bullets": 3,
        "active": 2,
        "archived": [C.id],
        "sections": {"units": 2, "rates": 1},
        "helpful": 2,
        "harmful": 1,
        "neutral": 4,
        "tokens": Playbook([A, B]).tokens,
        "queries": 0,
    }


def test_a_prompt_has_the_active_bullets_by_section_or_those_asked_for():
    lines = book().as_prompt().splitlines()
    assert [line for line in lines if line.startswith("[")] == [
        "[units-00001] helpful=2 harmful=1 :: Compare units.",
        "[rates-00002] helpful=0 harmful=0 :: Divide by the base.",
    ]
    assert [line[:2] for line in lines if line.startswith("#")] == ["##", "##"]
    assert B.id not in book().as_prompt([A.id, C.id])
    assert C.content in book().as_prompt([A.id, C.id])
    assert book().as_prompt([]) == Playbook().as_prompt() == ""


@unhurried
@given(playbooks(), st.data())
def test_no_prompt_has_more_tokens_than_its_playbook_counts(playbook, data):
    assert count_tokens(playbook.as_prompt()) <= playbook.tokens
    for bullet in playbook.bullets:
        what = data.draw(st.sampled_from(["leave", "take", "hide", "tag", "say"]), "what becomes of it")
        if what == "take":
            playbook = playbook.without(bullet.id)
        elif what == "hide":
            playbook = playbook.with_bullet(bullet._replace(archived=not bullet.archived))
        elif what == "tag":
            playbook = playbook.with_bullet(bullet._replace(helpful=data.draw(counts), harmful=data.draw(counts)))
        elif what == "say":
            playbook = playbook.with_bullet(bullet._replace(section=data.draw(texts), content=data.draw(texts)))
        assert count_tokens(playbook.as_prompt()) <= playbook.tokens == Playbook(playbook.bullets).tokens


@unhurried
@given(st.lists(batches, min_size=1, max_size=4))
def test_operations_keep_the_count_above_what_a_prompt_has(several):
    playbook = start()
    for operations in several:
        playbook = do(playbook, operations).playbook
        assert count_tokens(playbook.as_prompt()) <= playbook.tokens == Playbook(playbook.bullets).tokens


contents = st.text("ab c,é净1", min_size=1, max_size=8)
changes = st.lists(
    st.tuples(st.integers(1, 200), st.sampled_from(["put", "put", "tag", "hide", "take"]), contents), max_size=40
)


@given(st.integers(0, 200), changes)
def test_counts_and_prompt_are_those_of_a_playbook_made_anew(size, changes):
    made = Playbook(StoredBullet(f"a-{n:05d}", f"s{n % 3}", f"text {n}") for n in range(1, size + 1))
    made.as_prompt()  # kept for the chunks that do not change
    for number, what, text in changes:
        id_ = f"a-{number:05d}"
        bullet = made.get(id_) or StoredBullet(id_, "s9", text)
        if what == "put":
            made = made.with_bullet(bullet._replace(content=text, section=f"s{len(text)}"))
        elif what == "tag":
            made = made.with_bullet(bullet._replace(helpful=bullet.helpful + 1, harmful=bullet.harmful + 2))
        elif what == "hide":
            made = made.with_bullet(bullet._replace(archived=not bullet.archived))
        elif id_ in made:
            made = made.without(id_)
    anew = Playbook(made.bullets)
    assert (made.tokens, made.helpful, made.harmful) == (anew.tokens, anew.helpful, anew.harmful)
    assert made.as_prompt() == anew.as_prompt()
    assert made.sections == anew.sections
    assert {name: made.section_like(name) for name in made.sections} == {name: name for name in anew.sections}
    assert all(made.get(bullet.id) is bullet for bullet in made.bullets)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("STRATEGIES AND INSIGHTS", "strategies_and_insights"),
        ("Straße 7", "STRASSE-7"),
        ("a  b", "A_B"),
        ("净利润", "净利润"),
    ],
)
def test_a_section_is_known_however_it_is_written(one, other):
    assert section_key(one) == section_key(other)
    made = Playbook([A._replace(section=one)])
    assert made.section_like(other) == one
    assert made.section_like("else") == "else"
    assert made.without(A.id).section_like(other) == other


def test_names_without_words_differ():
    assert section_key("::") != section_key("##")


@pytest.mark.parametrize(
    ("section", "slug"),
    [
        ("STRATEGIES AND INSIGHTS", "sai"),
        ("units", "units"),
        ("calculations", "calcu"),
        ("Über uns", "uu"),
        ("净利润", "ctx"),
        ("12 %", "12"),
        ("a b c d e f g", "abcde"),
        ("::", "ctx"),
    ],
)
def test_slugs(section, slug):
    assert slug_of(section) == slug


@pytest.mark.parametrize(
    ("id_", "number"),
    [("units-00012", 12), ("a-b-7", 7), ("7", 7), ("units", 0), ("", 0), ("u-٣", 0), ("u--1", 1), ("u-9999999999", 0)],
)
def test_numbers_of_ids(id_, number):
    assert number_of(id_) == number


def test_a_value_knows_what_changed_since_an_earlier_one():
    first, second, third = (StoredBullet(f"a-0000{n}", "a", "x") for n in (1, 2, 3))
    start = Playbook().with_bullet(first)
    mark = start.recent[-1][0]
    later = start.with_bullet(second).without(first.id).replace(revision=7)
    assert set(later.changed_since(mark)) == {first.id, second.id}
    assert set(start.changed_since(mark)) == set()
    assert later.changed_since(start.with_bullet(second).recent[-1][0]) is None, "another value's change"
    assert later.changed_since(None) is None
    for _ in range(64):
        later = later.with_bullet(third)
    assert later.changed_since(mark) is None, "too long ago"
