"""Playbooks as JSON, and files of which the format is not known."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agents.ace.bullet import StoredBullet
from agents.ace.formats.reader import check_limits
from agents.ace.operations import MAX_BULLET_LENGTH, MAX_SECTION
from agents.ace.playbook import Playbook
from agents.errors import PlaybookFormatError
from tests.agents.ace.bullets import playbooks, texts, unhurried

from_json, to_json, read_any = Playbook.from_json, Playbook.to_json, Playbook.read
to_dict, write_text = Playbook.to_dict, Playbook.to_text
BULLET = StoredBullet("u-00001", "units", "Compare.", helpful=1, updated_at=5.0, merged_from=("u-00002",))


def provenance(playbook: Playbook) -> tuple:
    return playbook.bullets, playbook.name, playbook.revision, playbook.next_number, playbook.queries


def as_file(path: str = "", value: object = None) -> str:
    """A playbook of one bullet as JSON, with another value at a path of names; `...` takes the name out."""
    content = json.loads(to_json(Playbook([BULLET], name="p")))
    if path:
        *outer, last = path.split("/")
        place = content
        for name in outer:
            place = place[int(name) if name.isdigit() else name]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return json.dumps(content)


def test_what_it_looks_like():
    playbook = Playbook([BULLET, StoredBullet("o-00003", "others", "净利润")], name="finance", revision=4, queries=9)
    assert to_json(playbook) == snapshot(
        '{"format":"agent-playground/playbook","version":1,"name":"finance","revision":4,"next_number":4,"queries":9,'
        '"bullets":[{"id":"u-00001","section":"units","content":"Compare.","helpful":1,"updated_at":5.0,'
        '"merged_from":["u-00002"],"place":1},{"id":"o-00003","section":"others","content":"净利润","place":2}]}'
    )
    assert to_json(Playbook()) == snapshot(
        '{"format":"agent-playground/playbook","version":1,"name":"","revision":0,"next_number":1,"queries":0,"bullets":[]}'
    )


@unhurried
@given(playbooks())
def test_nothing_is_lost(playbook):
    found = from_json(to_json(playbook))
    assert provenance(found) == provenance(playbook)
    assert found == playbook
    assert to_json(found) == to_json(playbook)


@settings(unhurried, max_examples=30)
@given(playbooks(), st.randoms(use_true_random=False))
def test_the_same_playbook_is_the_same_text_however_it_was_made(playbook, random):
    made = Playbook(name=playbook.name, revision=playbook.revision, queries=playbook.queries)
    passing = [StoredBullet(f"x-{number}", "x", "y", place=number) for number in range(1, 150)]  # more than one run holds
    for bullet in random.sample([*playbook.bullets, *passing], len(playbook) + len(passing)):
        made = made.with_bullet(bullet._replace(place=bullet.place + 1000 * (bullet in playbook.bullets)))
    to_json(made)  # what is kept of it must not come back later
    for bullet in passing:
        made = made.without(bullet.id)
    to_json(made)
    for bullet in random.sample(playbook.bullets, len(playbook)):
        made = made.with_bullet(bullet._replace(updated_at=int(bullet.updated_at)))
    wanted = Playbook([bullet._replace(updated_at=int(bullet.updated_at)) for bullet in playbook.bullets])
    assert to_json(made.replace(next_number=1)) == to_json(
        wanted.replace(name=playbook.name, revision=playbook.revision, queries=playbook.queries, next_number=1)
    )


def test_a_number_that_was_given_out_before_stays_so():
    assert from_json(to_json(Playbook([BULLET], next_number=50))).next_number == 50
    assert from_json(as_file("next_number", 1)).next_number == 2


def test_a_whole_number_is_a_time_too():
    found = from_json(as_file("bullets/0/created_at", 7)).bullets[0]
    assert found == BULLET._replace(created_at=7.0, place=1)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", ..., "format: this is not 'agent-playground/playbook'"),
        ("format", "other", "format: this is not 'agent-playground/playbook'"),
        ("version", 2, "version: only 1 is known here, not 2"),
        ("bullets", {}, "bullets: a list belongs here, not an object"),
        ("bullets", [BULLET._asdict() | {"merged_from": []}] * 2, "bullets: the id u-00001 is there twice"),
        ("bullets", ["x"], r"bullets\[0\]: an object belongs here, not a text"),
        ("name", None, "name: a text belongs here"),
        ("revision", "4", "revision: a whole number belongs here, not a text"),
        ("next_number", 1.5, "next_number: a whole number belongs here"),
        ("queries", [], "queries: a whole number belongs here"),
        ("bullets/0/id", ..., r"bullets\[0\]: there is no 'id'"),
        ("bullets/0/section", ..., r"bullets\[0\]: there is no 'section'"),
        ("bullets/0/content", 5, r"bullets\[0\].content: a text belongs here, not a whole number"),
        ("bullets/0/helpful", "5", r"bullets\[0\].helpful: a whole number belongs here, not a text"),
        ("bullets/0/archived", 1, r"bullets\[0\].archived: true or false belongs here"),
        ("bullets/0/merged_from", "u-00002", r"bullets\[0\].merged_from: a list belongs here"),
        ("bullets/0/merged_from", [2], r"bullets\[0\].merged_from\[0\]: a text belongs here"),
        ("bullets/0/created_at", 10**400, r"bullets\[0\].created_at: this number is too large"),
        ("bullets/0/colour", "red", r"bullets\[0\].colour: a bullet has no such field, but id, section, content, helpful"),
    ],
)
def test_another_shape_is_refused_with_its_place(path, value, message):
    with pytest.raises(PlaybookFormatError, match=message):
        from_json(as_file(path, value))


def test_a_number_that_no_machine_can_hold_is_refused():
    with pytest.raises(PlaybookFormatError, match=r"bullets\[0\].updated_at: this number is too large"):
        from_json(to_json(Playbook([BULLET._replace(merged_from=())])).replace('"updated_at":5.0', '"updated_at":1e999'))


@pytest.mark.parametrize("text", ["", "[]", "null", '{"bullets": []}', "{", '{"format": NaN}', "## UNITS"])
def test_what_is_no_playbook_is_refused(text):
    with pytest.raises(PlaybookFormatError):
        from_json(text)


@unhurried
@given(playbooks(sections=texts.map(lambda text: f"s{text[:70]}")))
def test_a_file_in_any_of_the_formats_is_recognised(playbook):
    for bullet in playbook.bullets:
        playbook = playbook.with_bullet(bullet._replace(content=f"x{bullet.content}"))
    assert provenance(read_any(to_json(playbook))) == provenance(playbook)
    assert read_any(json.dumps(to_dict(playbook), indent=2)) == playbook
    if len(playbook):
        assert read_any(write_text(playbook)) == playbook
        assert read_any(f"\ufeff\n {write_text(playbook)}".replace("\n", "\r\n")) == playbook


@pytest.mark.parametrize(
    "text", ["\ufeff{}", ' {"sections": {}, "next_id": 1}', "[]", "", " \n", "Dear all,\n- one", "\x00\x01"]
)
def test_a_file_in_none_of_them_is_refused_with_what_one_is(text):
    with pytest.raises(PlaybookFormatError, match=r'no playbook in it\. A playbook is a text of "## SECTION"'):
        read_any(text)


def test_headers_alone_are_an_empty_playbook():
    assert len(read_any("## UNITS\n\n## OTHERS\n")) == 0


def test_a_bullet_that_is_there_twice_is_not_read_once():
    bullet = '"a-1": {"section": "s", "content": "c"}'
    with pytest.raises(PlaybookFormatError, match="'a-1': this name is there twice in one object"):
        read_any(f'{{"bullets": {{{bullet}, {bullet}}}}}')


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("agents.ace.formats.file.MAX_PLAYBOOK_BYTES", 2_000_000)
    comment = f"<!-- {'é' * 999_980} -->\n## A"  # 1,999,976 bytes
    read_any(comment)
    with pytest.raises(PlaybookFormatError, match=r"it has 2\.0 MB, and 2 MB is the most"):
        read_any(comment + "é" * 20)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "a b"}, "bullets: 'a b' cannot be the id of a bullet"),
        ({"content": ""}, "Bullet u-00001: its content is empty"),
        ({"content": " \n"}, "Bullet u-00001: its content is empty"),
        ({"section": ""}, "Bullet u-00001: its section is empty"),
        (
            {"content": "x" * (MAX_BULLET_LENGTH + 1)},
            "Bullet u-00001: its content has 2,001 characters, and 2,000 is the most",
        ),
        ({"section": "x" * (MAX_SECTION + 1)}, "Bullet u-00001: its section has 81 characters, and 80 is the most"),
        ({"content": "\udc80"}, "Bullet u-00001: its content holds half a character"),
        ({"helpful": -1}, "Bullet u-00001: 'helpful' must be from 0 on"),
        ({"harmful": 10**12}, "Bullet u-00001: 'harmful' must be from 0 on"),
        ({"neutral": -1}, "Bullet u-00001: 'neutral' must be from 0 on"),
        ({"created_at": -1.0}, "Bullet u-00001: 'created_at' is no time"),
        ({"updated_at": 1e300}, "Bullet u-00001: 'updated_at' is no time"),
    ],
)
def test_what_is_beyond_the_limits_names_its_bullet(fields, message):
    playbook = Playbook([BULLET._replace(**fields)])
    with pytest.raises(PlaybookFormatError, match=message):
        check_limits(playbook.bullets)
    with pytest.raises(PlaybookFormatError, match=message):
        read_any(to_json(playbook).encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass"))


def test_what_is_at_the_limits_is_read():
    bullet = BULLET._replace(content="x" * MAX_BULLET_LENGTH, section="é" * MAX_SECTION, helpful=10**12 - 1)
    assert read_any(write_text(Playbook([bullet]))) == Playbook([bullet])
