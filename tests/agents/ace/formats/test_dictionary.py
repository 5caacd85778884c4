"""The dictionary form of ACE on Google's ADK."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.errors import PlaybookFormatError
from tests.agents.ace.bullets import playbooks, unhurried

from_dict, to_dict = Playbook.from_dict, Playbook.to_dict
FOREIGN = {
    "bullets": {
        "units:-00001": {
            "id": "units:-00001",
            "section": "Units: all",
            "content": "Compare the units.\nBoth sides.",
            "helpful": 2,
            "harmful": 0,
            "neutral": 1,
            "created_at": "2025-10-12T08:30:00.250000+00:00",
            "updated_at": "2025-10-12T08:30:00Z",
        },
        "general-00003": {"id": "general-00003", "section": "general", "content": "Read twice.", "metadata": {"any": []}},
        "units:-00004": {"id": "units:-00004", "section": "Units: all", "content": "Then divide.", "created_at": 1.5},
    },
    "sections": {"Units: all": ["units:-00001", "units:-00004", "units:-00004"], "general": ["general-00003"], "old": []},
    "next_id": 4,
    "made_with": "something newer",
}


def changed(path: str, value: object) -> dict:
    """`FOREIGN` with another value at a path of names; `...` takes the name out."""
    copy = json.loads(json.dumps(FOREIGN))
    *outer, last = path.split("/")
    place = copy
    for name in outer:
        place = place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return copy


def test_what_it_looks_like():
    playbook = Playbook(
        [
            StoredBullet(
                "u-00001", "units", "Compare.", helpful=1, created_at=1.5, updated_at=86400.0, created_by="curator"
            ),
            StoredBullet("o-00002", "others", "Read.", archived=True),
            StoredBullet("u-00003", "units", "Divide."),
        ],
        next_number=8,
    )
    assert to_dict(playbook) == snapshot(
        {
            "bullets": {
                "u-00001": {
                    "id": "u-00001",
                    "section": "units",
                    "content": "Compare.",
                    "helpful": 1,
                    "harmful": 0,
                    "neutral": 0,
                    "created_at": "1970-01-01T00:00:01.500000+00:00",
                    "updated_at": "1970-01-02T00:00:00+00:00",
                },
                "o-00002": {
                    "id": "o-00002",
                    "section": "others",
                    "content": "Read.",
                    "helpful": 0,
                    "harmful": 0,
                    "neutral": 0,
                    "created_at": "1970-01-01T00:00:00+00:00",
                    "updated_at": "1970-01-01T00:00:00+00:00",
                    "archived": True,
                },
                "u-00003": {
                    "id": "u-00003",
                    "section": "units",
                    "content": "Divide.",
                    "helpful": 0,
                    "harmful": 0,
                    "neutral": 0,
                    "created_at": "1970-01-01T00:00:00+00:00",
                    "updated_at": "1970-01-01T00:00:00+00:00",
                },
            },
            "sections": {"units": ["u-00001", "u-00003"], "others": ["o-00002"]},
            "next_id": 7,
        }
    )


@unhurried
@given(playbooks())
def test_what_is_written_is_read_again(playbook):
    found = from_dict(json.loads(json.dumps(to_dict(playbook))))
    assert found == playbook
    assert found.next_number == playbook.next_number
    for bullet in playbook.bullets:
        assert found.get(bullet.id).created_at == pytest.approx(bullet.created_at, abs=1e-6)
        assert found.get(bullet.id).updated_at == pytest.approx(bullet.updated_at, abs=1e-6)


def test_a_time_beyond_all_calendars_is_written_as_a_number():
    playbook = Playbook([StoredBullet("u-1", "units", "x", created_at=1e300)])
    assert from_dict(to_dict(playbook)).bullets[0].created_at == 1e300


def test_one_from_elsewhere():
    playbook = from_dict(FOREIGN)
    assert [(b.id, b.section, b.content, b.helpful, b.neutral, b.created_at, b.updated_at) for b in playbook.bullets] == [
        ("units:-00001", "Units: all", "Compare the units.\nBoth sides.", 2, 1, 1760257800.25, 1760257800.0),
        ("units:-00004", "Units: all", "Then divide.", 0, 0, 1.5, 0.0),
        ("general-00003", "general", "Read twice.", 0, 0, 0.0, 0.0),
    ]
    assert playbook.next_number == 5


def test_the_next_number_is_past_every_id_even_if_the_file_says_less():
    assert from_dict(changed("next_id", 0)).next_number == 5
    assert from_dict(changed("next_id", 99)).next_number == 100


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("sections", ...),
        ("next_id", ...),
        ("bullets/general-00003/id", ...),
        ("bullets/general-00003/section", ...),
        ("bullets/general-00003/created_at", None),
        ("bullets/general-00003/updated_at", "2025-10-12T08:30:00"),
        ("sections/old", ["general-00003"]),
    ],
)
def test_what_may_be_missing_or_stale(path, value):
    found = from_dict(changed(path, value)).get("general-00003")
    assert (found.section, found.content) == ("general", "Read twice.")


def test_a_time_without_a_zone_is_in_utc(monkeypatch):
    try:
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv("TZ", "Asia/Tokyo")
            time.tzset()
            found = from_dict(changed("bullets/general-00003/updated_at", "1970-01-01T01:00:00"))
    finally:
        time.tzset()
    assert found.get("general-00003").updated_at == 3600


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("bullets", ..., "bullets: an object belongs here, not nothing"),
        ("bullets", [], "bullets: an object belongs here, not a list"),
        ("sections", None, "sections: an object belongs here"),
        ("sections/general", "general-00003", "sections.general: a list belongs here, not a text"),
        ("sections/general", [3], r"sections.general\[0\]: a text belongs here"),
        ("sections/general", ["general-00009"], r"sections.general\[0\]: there is no bullet 'general-00009' in bullets"),
        ("next_id", "5", "next_id: a whole number belongs here, not a text"),
        ("bullets/general-00003", "Read twice.", "bullets.general-00003: an object belongs here, not a text"),
        ("bullets/general-00003/id", "general-00004", "bullets.general-00003.id: 'general-00004' is not 'general-00003'"),
        ("bullets/general-00003/content", ..., "bullets.general-00003.content: a text belongs here, not nothing"),
        ("bullets/general-00003/section", 3, "bullets.general-00003.section: a text belongs here"),
        ("bullets/general-00003/helpful", -1, "bullets.general-00003.helpful: '-1' is no count"),
        ("bullets/general-00003/harmful", 10**12, "bullets.general-00003.harmful: '1000000000000' is no count"),
        ("bullets/general-00003/neutral", True, "bullets.general-00003.neutral: a whole number belongs here, not true"),
        ("bullets/general-00003/neutral", 1.5, "bullets.general-00003.neutral: a whole number belongs here, not a number"),
        ("bullets/general-00003/created_at", "yesterday", "bullets.general-00003.created_at: 'yesterday' is no time"),
        ("bullets/general-00003/created_at", [], "bullets.general-00003.created_at: a number belongs here"),
        ("bullets/general-00003/archived", "no", "bullets.general-00003.archived: true or false belongs here"),
        ("bullets/an id", {"section": "a", "content": "b"}, "bullets: 'an id' cannot be the id of a bullet"),
        (
            "bullets/lost-00001",
            {"content": "b"},
            "bullets.lost-00001.section: there is none, and no section lists the bullet",
        ),
    ],
)
def test_another_shape_is_refused_with_its_place(path, value, message):
    with pytest.raises(PlaybookFormatError, match=message):
        from_dict(changed(path, value))


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["bullets", "sections", "next_id", "id", "section", "content", "a-1"]), inner)
    ),
    max_leaves=12,
)


@unhurried
@given(
    plain | st.fixed_dictionaries({"bullets": st.dictionaries(st.sampled_from(["a-1", "b-2"]), plain), "sections": plain})
)
def test_any_value_is_read_or_refused(value):
    with contextlib.suppress(PlaybookFormatError):
        assert isinstance(from_dict(value), Playbook)
