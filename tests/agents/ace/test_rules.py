"""The laws of playbooks, as properties: what any operations, in any order, may and may not do.

That ids are never given twice is in `test_life`, what an undo takes back in `test_rules_log`.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agents.ace import DeltaBatch, Playbook, PlaybookStore, import_changes
from agents.ace.bullet import StoredBullet, section_key
from agents.ace.changes import apply_all
from agents.ace.operations import MAX_BULLET_LENGTH, MAX_OPERATIONS
from agents.errors import DatabaseError, PlaybookFormatError
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from tests.agents.ace.bullets import texts, unhurried
from tests.agents.ace.deltas import GIVEN, TAGS, batches, do, filled, people, start

# 1. Every operation is applied or rejected with a recorded reason. Nothing is half-applied.


@unhurried
@given(batches, people)
def test_1_each_operation_is_applied_or_rejected_with_a_reason(plain, by):
    before = start()
    text = before.to_json()
    playbook, applied, rejected = do(before, plain, by)
    assert before.to_json() == text
    refused = [rejection["operation"] for rejection in rejected]
    assert len(applied) + len(rejected) == len(plain)
    assert all(rejection["reason"].strip() for rejection in rejected)
    assert Counter(change["type"] for change in applied) + Counter(operation["type"] for operation in refused) == Counter(
        operation["type"] for operation in plain
    )
    assert all(any(operation.items() <= said.items() for operation in plain) for said in refused)
    assert apply_all(before, applied, by=by, at=5.0).to_json() == playbook.to_json()
    accepted = [operation for operation in plain if not any(operation.items() <= said.items() for said in refused)]
    if len(accepted) + len(refused) == len(plain):  # the refused ones did nothing
        assert do(before, accepted, by).playbook.to_json() == playbook.to_json()


@unhurried
@given(batches)
def test_1_what_became_of_an_operation_is_in_the_record(plain):
    store = filled()
    commit = store.commit(DeltaBatch(reasoning="Why.", operations=plain))
    assert len(commit.applied) + len(commit.rejected) == len(plain)
    if not plain:
        assert commit.revision == store.playbook().revision == 1
        return
    record = store.history(limit=1)[0]
    assert (record.revision, record.applied, record.rejected) == (commit.revision, commit.applied, commit.rejected)
    assert (record.reasoning, record.by) == ("Why.", "curator")
    assert store.playbook().revision == commit.revision == 2


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ({"type": "ADD", "section": "units", "content": " \n\u3000"}, "content is empty"),
        (
            {"type": "ADD", "section": "units", "content": "x" * (MAX_BULLET_LENGTH + 1)},
            "has 2,001 characters",
        ),
        ({"type": "ADD", "section": " ", "content": "a"}, "section has no name"),
        ({"type": "ADD", "section": "x" * 81, "content": "a"}, "81 characters; it may have 80"),
        ({"type": "UPDATE", "bullet_id": "nobody-1", "content": "a"}, "no bullet 'nobody-1'"),
        ({"type": "UPDATE", "bullet_id": GIVEN[0], "content": ""}, "content is empty"),
        ({"type": "UPDATE", "bullet_id": GIVEN[0], "content": f" {start().get(GIVEN[0]).content} "}, "exactly this already"),
        ({"type": "REMOVE", "bullet_id": "nobody-1"}, "no bullet 'nobody-1'"),
        ({"type": "MERGE", "bullet_ids": [], "content": "a"}, "at least two different"),
        ({"type": "MERGE", "bullet_ids": [GIVEN[0], GIVEN[0]], "content": "a"}, "at least two different"),
        ({"type": "MERGE", "bullet_ids": [GIVEN[0], "nobody-1"], "content": "a"}, "no bullet 'nobody-1'"),
        ({"type": "MERGE", "bullet_ids": GIVEN[:2], "content": ""}, "content is empty"),
        ({"type": "TAG", "bullet_id": "nobody-1", "tag": "helpful"}, "no bullet 'nobody-1'"),
        ({"type": "ARCHIVE", "bullet_id": GIVEN[3]}, "archived already"),
        ({"type": "UNARCHIVE", "bullet_id": GIVEN[0]}, "not archived"),
    ],
)
def test_1_what_cannot_be_done_is_rejected(operation, reason):
    playbook, applied, rejected = do(start(), [operation])
    assert (playbook.to_json(), applied) == (start().to_json(), [])
    assert reason in rejected[0]["reason"]


def test_1_a_full_playbook_takes_no_bullet_until_one_is_gone(monkeypatch):
    monkeypatch.setattr("agents.ace.resolution.MAX_PLAYBOOK_BULLETS", len(start()))
    monkeypatch.setattr("agents.ace.formats.reader.MAX_PLAYBOOK_BULLETS", len(start()))
    add = {"type": "ADD", "section": "units", "content": "a"}
    playbook, applied, [rejection] = do(start(), [{"type": "TAG", "bullet_id": GIVEN[0], "tag": "helpful"}, add])
    assert ([change["type"] for change in applied], len(playbook)) == (["TAG"], len(start()))
    assert "since a model reads them. Remove or merge some first." in rejection["reason"]
    with pytest.raises(PlaybookFormatError, match=r"since a model reads them\. Take out those that are not needed"):
        import_changes(start(), start().bullets[:1])
    assert do(start(), [{"type": "REMOVE", "bullet_id": GIVEN[0]}, add]).rejected == []


@pytest.mark.parametrize(("by", "beyond"), [("curator", 3), ("reflector", 3), ("person", 0)])
def test_1_of_a_model_s_batch_what_is_beyond_the_most_is_rejected(by, beyond):
    plain = [{"type": "TAG", "bullet_id": GIVEN[0], "tag": "neutral"}] * (MAX_OPERATIONS + 3)
    playbook, applied, rejected = do(start(), plain, by)
    assert len(rejected) == beyond
    assert len(applied) == playbook.get(GIVEN[0]).neutral == len(plain) - beyond
    assert all(f"at most {MAX_OPERATIONS}" in rejection["reason"] for rejection in rejected)


@settings(unhurried, max_examples=20)
@given(batches.filter(len))
def test_1_a_batch_that_cannot_be_stored_as_a_whole_is_not_stored_at_all(plain):
    with tempfile.TemporaryDirectory() as folder, PlaybookStore(Path(folder) / "p.db") as store:
        store.import_playbook(start())
        before = store.playbook().to_json()
        with sqlite3.connect(Path(folder) / "p.db") as other:
            other.execute("CREATE TRIGGER broken BEFORE UPDATE ON playbooks BEGIN SELECT RAISE(ABORT, 'broken'); END")
        with pytest.raises(DatabaseError):
            store.commit(DeltaBatch(operations=plain))
        other.close()
        assert store.playbook().to_json() == before
        assert len(store.history()) == 1
        with PlaybookStore(Path(folder) / "p.db") as fresh:
            assert fresh.playbook().to_json() == before


@unhurried
@given(batches)
def test_1_a_frozen_playbook_refuses_all_with_a_reason(plain):
    store = filled()
    before = store.playbook().to_json()
    store.freeze()
    commit = store.commit(DeltaBatch(operations=plain))
    assert not commit.applied
    assert len(commit.rejected) == len(plain)
    assert all("frozen" in rejection["reason"] for rejection in commit.rejected)
    assert store.playbook().to_json() == before


@pytest.mark.parametrize(
    "fields", [{"content": ""}, {"content": "x" * (MAX_BULLET_LENGTH + 1)}, {"section": "x" * 81}, {"content": "\ud800"}]
)
def test_1_an_import_brings_in_nothing_that_no_operation_could(fields):
    store = filled()
    with pytest.raises(PlaybookFormatError, match="x-00009"):
        store.import_playbook(
            Playbook([StoredBullet("u-00008", "units", "good"), StoredBullet("x-00009", "units", "bad")._replace(**fields)])
        )
    assert store.playbook() == store.at(1)
    assert store.playbook().revision == 1


# 3. A merge adds the counters up; lineage keeps the merged ids.


@unhurried
@given(st.lists(st.sampled_from(GIVEN), min_size=2, max_size=5), st.lists(st.sampled_from(TAGS), max_size=3))
def test_3_a_merge_adds_the_counters_up_and_keeps_where_it_comes_from(merged, tags):
    assume(len(set(merged)) > 1)
    store = filled()
    before = store.playbook()
    made = store.commit(DeltaBatch(operations=[{"type": "MERGE", "bullet_ids": merged, "content": "all"}])).applied[0][
        "bullet_id"
    ]
    store.commit(DeltaBatch(operations=[{"type": "TAG", "bullet_id": made, "tag": tag} for tag in tags]))
    bullet = store.playbook().get(made)
    for tag in TAGS:
        total = sum(getattr(before.get(id_), tag) for id_ in dict.fromkeys(merged))
        assert getattr(bullet, tag) == total + tags.count(tag)
    assert bullet.merged_from == tuple(dict.fromkeys(merged))
    assert bullet.section == before.get(merged[0]).section
    assert not any(id_ in store.playbook() for id_ in merged)
    assert [record.revision for record in store.lineage(made)] == [1, 2, 3][: 2 + bool(tags)]
    for tag in TAGS:
        assert sum(getattr(b, tag) for b in store.playbook().bullets) - tags.count(tag) == sum(
            getattr(b, tag) for b in before.bullets
        )


# 4. Nothing that a bullet says is more than what it says.


@unhurried
@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_4_what_is_rendered_is_read_again(pairs):
    store = PlaybookStore(InMemoryPlaybookRepository())
    store.commit(DeltaBatch(operations=[{"type": "ADD", "section": section, "content": text} for section, text in pairs]))
    playbook = store.playbook()
    assert Playbook.from_text(playbook.to_text()) == playbook
    assert Playbook.from_json(playbook.to_json()) == playbook
    assert Playbook.from_dict(playbook.to_dict()) == playbook
    for section, bullets in playbook.sections.items():
        assert section == section.strip() != ""
        for bullet in bullets:  # of several lines, the first may be indented
            said = bullet.content.lstrip(" \t") if "\n" in bullet.content else bullet.content
            assert said == bullet.content.strip() != ""


@unhurried
@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_4_a_model_is_shown_the_bullets_that_there_are_and_no_others(pairs):
    store = PlaybookStore(InMemoryPlaybookRepository())
    store.commit(DeltaBatch(operations=[{"type": "ADD", "section": section, "content": text} for section, text in pairs]))
    playbook = store.playbook()
    shown = Playbook.from_text(playbook.as_prompt())
    assert len(shown.sections) == len(playbook.sections)
    for (section, bullets), (as_shown, bullets_shown) in zip(playbook.sections.items(), shown.sections.items(), strict=True):
        assert [bullet.id for bullet in bullets_shown] == [bullet.id for bullet in bullets]
        for text, text_shown in [
            (section, as_shown),
            *((b.content, c.content) for b, c in zip(bullets, bullets_shown, strict=True)),
        ]:
            assert text_shown.replace("‹", "<") == text.replace("‹", "<")


# 6. Independent deltas commute; the outcome of conflicting ones is settled, and recorded.


@unhurried
@given(batches, batches)
def test_6_independent_deltas_commute(one, other):
    touched = [{id_ for operation in plain for id_ in _ids_of(operation)} for plain in (one, other)]
    assume(not touched[0] & touched[1] & set(GIVEN))
    a = [operation for operation in one if "units-00007" not in _ids_of(operation)]  # an id that the other might be given
    b = [operation for operation in other if "units-00007" not in _ids_of(operation)]
    first, second = do(do(start(), a).playbook, b).playbook, do(do(start(), b).playbook, a).playbook
    assert _apart_from_ids(first) == _apart_from_ids(second)
    if not any(operation["type"] in {"ADD", "MERGE"} for operation in [*a, *b]):
        assert first == second


def _ids_of(operation: dict) -> list[str]:
    return [operation["bullet_id"]] if "bullet_id" in operation else operation.get("bullet_ids", [])


def _apart_from_ids(playbook: Playbook) -> Counter:
    """What bullets say; who comes first gets the lower number, and writes the name of a new section."""
    return Counter(
        (bullet.id if bullet.id in GIVEN else "", section_key(bullet.section), *bullet.said[2:])
        for bullet in playbook.bullets
    )


@unhurried
@given(st.lists(st.sampled_from(TAGS), max_size=8), st.randoms(use_true_random=False))
def test_6_tags_of_one_bullet_commute(tags, random):
    plain = [{"type": "TAG", "bullet_id": GIVEN[0], "tag": tag} for tag in tags]
    shuffled = random.sample(plain, len(plain))
    assert do(start(), plain).playbook == do(start(), shuffled).playbook


@unhurried
@given(batches, batches)
def test_6_conflicts_are_settled_the_same_way_each_time_and_recorded(one, other):
    stores = [filled(), filled()]
    commits = [[store.commit(DeltaBatch(operations=plain)) for plain in (one, other)] for store in stores]
    assert stores[0].playbook() == stores[1].playbook()
    for first, second in zip(*commits, strict=True):
        assert (_untimed(first.applied), first.rejected) == (_untimed(second.applied), second.rejected)
    for plain, commit in zip((one, other), commits[0], strict=True):
        assert len(commit.applied) + len(commit.rejected) == len(plain)


_TIMES = ("created_at", "updated_at")


def _untimed(changes: list[dict]) -> list[dict]:
    """Changes without the times in the bullets that they hold."""

    def bare(bullet: dict) -> dict:
        return {name: value for name, value in bullet.items() if name not in _TIMES}

    return [
        change
        | ({"bullet": bare(change["bullet"])} if "bullet" in change else {})
        | ({"merged": [bare(bullet) for bullet in change["merged"]]} if "merged" in change else {})
        for change in changes
    ]


def test_6_an_edit_of_what_was_removed_is_rejected_and_a_removal_of_what_was_edited_holds():
    edit = {"type": "UPDATE", "bullet_id": GIVEN[0], "content": "edited"}
    removal = {"type": "REMOVE", "bullet_id": GIVEN[0]}
    after = do(start(), [removal, edit])
    assert GIVEN[0] not in after.playbook
    assert [rejection["operation"]["type"] for rejection in after.rejected] == ["UPDATE"]
    assert GIVEN[0] in after.rejected[0]["reason"]
    other = do(start(), [edit, removal])
    assert other.playbook == after.playbook
    assert other.applied[1]["bullet"]["content"] == "edited"  # what the removal took is in the record
