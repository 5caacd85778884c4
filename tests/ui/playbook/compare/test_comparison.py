"""Two playbooks aligned."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from ui.playbook.compare import aligned, counts


def playbook(*bullets: tuple) -> Playbook:
    return Playbook([StoredBullet(id_, section, content, helpful=helpful) for id_, section, content, helpful in bullets])


def kinds(pairs) -> list[tuple]:
    return [(pair.kind, pair.here and pair.here.id, pair.there and pair.there.id) for pair in pairs]


def test_bullets_find_their_like_by_text_and_section():
    here = playbook(("a-1", "Units of measure", "One.", 1), ("a-2", "Units of measure", "Two.", 0), ("a-3", "x", "Mine.", 0))
    there = playbook(
        ("b-9", "units_of_measure", "Two.", 0), ("b-8", "units_of_measure", " One. ", 5), ("b-7", "y", "Yours.", 0)
    )
    pairs = aligned(here, there)
    assert kinds(pairs) == [
        ("counters", "a-1", "b-8"),
        ("same", "a-2", "b-9"),
        ("here", "a-3", None),
        ("there", None, "b-7"),
    ]
    assert counts(pairs) == {"same": 1, "counters": 1, "text": 0, "here": 1, "there": 1}


def test_a_copy_that_went_its_own_way_is_known_by_its_ids():
    here = playbook(("u-1", "u", "Write money with 2 decimals.", 0), ("u-2", "u", "Something about dogs.", 0))
    there = playbook(("u-1", "u", "Write money with 3 decimals.", 0), ("u-2", "u", "Entirely else: cats purr.", 0))
    assert kinds(aligned(here, there)) == [("text", "u-1", "u-1"), ("here", "u-2", None), ("there", None, "u-2")]


bullets = st.lists(
    st.tuples(st.sampled_from("st"), st.sampled_from(["one", "two", " one", "two three"]), st.integers(0, 1)), max_size=6
)


@given(bullets, bullets)
def test_every_bullet_is_there_once(mine, yours):
    here, there = (
        Playbook([StoredBullet(f"{s}-{n}", s, c, helpful=h) for n, (s, c, h) in enumerate(found)]) for found in (mine, yours)
    )
    pairs = aligned(here, there)
    assert sorted(pair.here.id for pair in pairs if pair.here) == sorted(bullet.id for bullet in here.bullets)
    assert sorted(pair.there.id for pair in pairs if pair.there) == sorted(bullet.id for bullet in there.bullets)
    assert {pair.kind for pair in aligned(here, here)} <= {"same"}
