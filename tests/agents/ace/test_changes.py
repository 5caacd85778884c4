"""What each operation comes to on a playbook, what it is refused for, and what applying a change does."""

from __future__ import annotations

import json

import pytest

from agents.ace import DeltaBatch, Playbook
from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply, apply_all, bullet_from_plain, bullet_to_plain
from agents.ace.operations import MAX_BULLET_LENGTH, MAX_OPERATIONS, MAX_SECTION
from agents.ace.resolution import cite, clean, import_changes, merge, remove, resolve

A = StoredBullet(
    "units-00001", "units", "Compare units.", helpful=2, created_at=1.0, created_by="import", last_cited=1, place=1
)
B = StoredBullet("units-00002", "units", "Percent is of 100.", harmful=3, neutral=1, created_at=2.0, last_cited=4, place=2)
C = StoredBullet("rates-00003", "rates", "Divide by the base.", archived=True, place=3)


def book(**more) -> Playbook:
    return Playbook([A, B, C], queries=5, **more)


def do(*plain: dict, playbook: Playbook | None = None, by: str = "curator"):
    return resolve(playbook or book(), DeltaBatch(operations=list(plain)).operations, by=by, at=9.0)


def reason(*plain: dict, **more) -> str:
    """Why the last one was refused; nothing was changed by it."""
    before = do(*plain[:-1], **more).playbook.to_json()
    done = do(*plain, **more)
    assert done.playbook.to_json() == before
    assert done.rejected[-1]["operation"].items() >= plain[-1].items()
    return done.rejected[-1]["reason"]


def test_an_addition_gets_the_next_id_and_goes_last():
    done = do(
        {"type": "ADD", "section": " Units ", "content": "  New.\n"}, {"type": "ADD", "section": "x y", "content": "2"}
    )
    assert done.applied == [
        {"type": "ADD", "bullet_id": "units-00004", "section": "units", "content": "New."},
        {"type": "ADD", "bullet_id": "xy-00005", "section": "x y", "content": "2"},
    ]
    assert done.playbook.bullets[3] == StoredBullet(
        "units-00004",
        "units",
        "New.",
        created_at=9.0,
        updated_at=9.0,
        created_by="curator",
        updated_by="curator",
        last_cited=5,
        place=4,
    )
    assert done.playbook.next_number == 6


def test_an_id_is_not_given_again_after_its_bullet_is_gone():
    gone = do({"type": "ADD", "section": "units", "content": "x"}, {"type": "REMOVE", "bullet_id": "units-00004"}).playbook
    assert do({"type": "ADD", "section": "units", "content": "x"}, playbook=gone).applied[0]["bullet_id"] == "units-00005"


def test_a_batch_may_go_on_with_what_it_added():
    done = do({"type": "ADD", "section": "u", "content": "x"}, {"type": "TAG", "bullet_id": "u-00004", "tag": "helpful"})
    assert (done.rejected, done.playbook.get("u-00004").helpful) == ([], 1)


def test_an_update_keeps_counters_and_what_it_replaced():
    done = do({"type": "UPDATE", "bullet_id": A.id, "content": "Better."}, by="person")
    assert done.applied == [{"type": "UPDATE", "bullet_id": A.id, "content": "Better.", "before": A.content}]
    assert done.playbook.get(A.id) == A._replace(
        content="Better.",
        updated_at=9.0,
        updated_by="person",
        helpful_before=A.helpful,
        harmful_before=A.harmful,
    )


def test_a_removal_keeps_the_whole_bullet_and_why():
    done = do({"type": "REMOVE", "bullet_id": C.id, "reason": "wrong"}, {"type": "REMOVE", "bullet_id": A.id})
    assert done.applied == [
        {"type": "REMOVE", "bullet_id": C.id, "bullet": bullet_to_plain(C), "reason": "wrong"},
        {"type": "REMOVE", "bullet_id": A.id, "bullet": bullet_to_plain(A)},
    ]
    assert [bullet.id for bullet in done.playbook.bullets] == [B.id]


def test_a_merge_makes_one_of_several():
    done = do({"type": "MERGE", "bullet_ids": [B.id, A.id, B.id], "content": "Both."})
    assert done.applied == [
        {
            "type": "MERGE",
            "bullet_id": "units-00004",
            "bullet_ids": [B.id, A.id],
            "section": "units",
            "content": "Both.",
            "merged": [bullet_to_plain(B), bullet_to_plain(A)],
        }
    ]
    assert [bullet.id for bullet in done.playbook.bullets] == [C.id, "units-00004"]
    assert done.playbook.get("units-00004") == StoredBullet(
        "units-00004",
        "units",
        "Both.",
        helpful=2,
        harmful=3,
        neutral=1,
        created_at=1.0,
        updated_at=9.0,
        created_by=B.created_by,
        updated_by="curator",
        last_cited=4,
        merged_from=(B.id, A.id),
        place=4,
    )


def test_a_merge_is_archived_only_if_all_of_it_was():
    both = {"type": "MERGE", "bullet_ids": [A.id, C.id], "content": "x"}
    assert not do(both).playbook.get("units-00004").archived
    hidden = do({"type": "ARCHIVE", "bullet_id": A.id}, both).playbook
    assert hidden.get("units-00004").archived


@pytest.mark.parametrize("tag", ["helpful", "harmful", "neutral"])
def test_a_tag_counts_one_and_changes_nothing_else(tag):
    done = do({"type": "TAG", "bullet_id": B.id, "tag": tag})
    assert done.applied == [{"type": "TAG", "bullet_id": B.id, "tag": tag}]
    assert done.playbook.get(B.id) == B._replace(**{tag: getattr(B, tag) + 1})


def test_archiving_and_back_counts_as_cited_now():
    done = do({"type": "ARCHIVE", "bullet_id": A.id}, {"type": "UNARCHIVE", "bullet_id": C.id})
    assert done.playbook.get(A.id) == A._replace(archived=True)
    assert done.playbook.get(C.id) == C._replace(archived=False, last_cited=5)


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ({"type": "ADD", "section": "u", "content": " \n "}, "empty"),
        ({"type": "ADD", "section": "u", "content": "x" * (MAX_BULLET_LENGTH + 1)}, "2,001 characters.*Split it"),
        ({"type": "ADD", "section": " ", "content": "x"}, "section has no name"),
        ({"type": "ADD", "section": "s" * (MAX_SECTION + 1), "content": "x"}, "81 characters; it may have 80"),
        ({"type": "UPDATE", "bullet_id": "u-9", "content": "x"}, "There is no bullet 'u-9'"),
        ({"type": "UPDATE", "bullet_id": A.id, "content": f" {A.content} "}, "says exactly this already"),
        ({"type": "UPDATE", "bullet_id": A.id, "content": ""}, "empty"),
        ({"type": "REMOVE", "bullet_id": "x" * 200}, f"There is no bullet '{'x' * 80}' in"),
        ({"type": "MERGE", "bullet_ids": [A.id, A.id], "content": "x"}, "at least two different"),
        ({"type": "MERGE", "bullet_ids": [], "content": "x"}, "at least two different"),
        ({"type": "MERGE", "bullet_ids": [A.id, "u-9"], "content": "x"}, "no bullet 'u-9'"),
        ({"type": "MERGE", "bullet_ids": [A.id, B.id], "content": ""}, "empty"),
        ({"type": "TAG", "bullet_id": "", "tag": "helpful"}, "no bullet ''"),
        ({"type": "ARCHIVE", "bullet_id": C.id}, "archived already"),
        ({"type": "UNARCHIVE", "bullet_id": A.id}, "not archived"),
    ],
)
def test_what_is_refused_says_why_and_does_nothing(plain, why):
    import re

    assert re.search(why, reason(plain))


def test_the_most_that_a_bullet_and_a_section_may_have_is_taken():
    done = do({"type": "ADD", "section": "s" * MAX_SECTION, "content": "x" * MAX_BULLET_LENGTH})
    assert done.rejected == []


def test_what_a_batch_removed_is_not_there_for_the_rest_of_it():
    assert "no bullet" in reason({"type": "REMOVE", "bullet_id": A.id}, {"type": "TAG", "bullet_id": A.id, "tag": "helpful"})


def test_only_a_person_may_do_more_than_fifty_at_once():
    tags = [{"type": "TAG", "bullet_id": A.id, "tag": "helpful"}] * (MAX_OPERATIONS + 1)
    assert "number 51 of the batch" in reason(*tags)
    assert do(*tags).playbook.get(A.id).helpful == 2 + MAX_OPERATIONS
    assert do(*tags, by="person").playbook.get(A.id).helpful == 3 + MAX_OPERATIONS


def test_a_section_is_the_one_that_is_there_however_it_is_written():
    done = do(
        {"type": "ADD", "section": "STRATEGIES AND  INSIGHTS", "content": "x"},
        {"type": "ADD", "section": "strategies_and_insights", "content": "y"},
        {"type": "ADD", "section": "UNITS", "content": "z"},
    )
    assert [change["section"] for change in done.applied] == ["STRATEGIES AND INSIGHTS"] * 2 + ["units"]


def test_a_query_counts_itself_and_those_it_cited():
    change = cite(book(), [B.id, "nobody-00001", B.id])
    assert change == {"type": "CITE", "bullet_ids": [B.id], "query": 6}
    after = apply(book(), change, by="reflector", at=9.0)
    assert (after.queries, after.get(B.id).last_cited, after.get(A.id).last_cited) == (6, 6, 1)
    assert cite(after, [])["query"] == 7


def test_a_refinement_says_who_did_it():
    change = {**merge(book(), [A.id, B.id], "Both."), "by": "refinement", "reason": "near-duplicates"}
    assert apply(book(), change, by="curator", at=9.0).get("units-00004").updated_by == "refinement"


def test_an_import_keeps_ids_that_were_never_given_and_replaces_the_others():
    found = [
        StoredBullet("units-00002", "UNITS", "Mine.", helpful=7, created_at=3.0, place=1),
        StoredBullet("other-00050", "other", "Far.", archived=True, place=2),
        StoredBullet("none", "rates", "No number.", place=3),
    ]
    changes = import_changes(book(), found)
    after = apply_all(book(), changes, by="import", at=9.0)
    assert [(change["bullet_id"], change.get("was")) for change in changes] == [
        ("units-00051", "units-00002"),
        ("other-00050", None),
        ("rates-00052", "none"),
    ]
    assert after.bullets[3:] == (
        found[0]._replace(id="units-00051", section="units", last_cited=5, place=4),
        found[1]._replace(last_cited=5, place=5),
        found[2]._replace(id="rates-00052", last_cited=5, place=6),
    )
    assert after.next_number == 53
    assert after.bullets[:3] == book().bullets


def test_an_import_of_a_playbook_into_itself_doubles_it_under_new_ids():
    after = apply_all(book(), import_changes(book(), book().bullets), by="import", at=9.0)
    assert len({bullet.id for bullet in after.bullets}) == 6
    assert [bullet.content for bullet in after.bullets] == [bullet.content for bullet in book().bullets] * 2
    assert import_changes(book(), []) == []


def test_a_bullet_is_plain_without_what_is_at_its_default():
    plain = bullet_to_plain(StoredBullet("u-00001", "u", "x", harmful=1, merged_from=("a-1", "b-2"), archived=True))
    assert plain == {
        "id": "u-00001", "section": "u", "content": "x", "harmful": 1, "merged_from": ["a-1", "b-2"], "archived": True,
    }  # fmt: skip
    assert bullet_from_plain(plain).merged_from == ("a-1", "b-2")
    assert all(bullet_from_plain(bullet_to_plain(bullet)) == bullet for bullet in (A, B, C))


def test_what_takes_out_needs_what_is_there():
    assert remove(book(), A.id)["bullet"] == bullet_to_plain(A)
    with pytest.raises(Exception, match="no bullet"):
        remove(book(), "nobody-00001")


def test_clean_text_can_be_stored():
    assert clean(" a\ud800b \n") == "a?b"


def test_a_merge_counts_together_what_the_texts_did_before_they_were_changed():
    corrected = [bullet._replace(helpful=4, helpful_before=3, harmful=2, harmful_before=1) for bullet in (A, B)]
    before = Playbook(corrected)
    change = {"type": "MERGE", "bullet_id": "new", "bullet_ids": [A.id, B.id], "section": "s", "content": "Both."}
    made = apply(before, {**change, "merged": [bullet_to_plain(bullet) for bullet in corrected]}, by="person", at=1.0).get(
        "new"
    )
    assert (made.helpful, made.harmful, made.tagged) == (8, 4, (2, 2))


def test_a_bullet_is_the_same_after_it_was_stored_as_json():
    made = A._replace(merged_from=("u-00001", "u-00002"))
    assert json.loads(json.dumps(bullet_to_plain(made))) == bullet_to_plain(made)
    assert bullet_from_plain(bullet_to_plain(made)) == made
