"""Taking changes back on a playbook that has gone on, what rests on what, and what differs between two playbooks."""

from __future__ import annotations

import pytest

from agents.ace import DeltaBatch, Playbook
from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply_all
from agents.ace.resolution import cite, resolve
from agents.ace.undo import depends, difference, inverse, towards

A, B, C = [StoredBullet(f"u-0000{n}", "u", f"text {n}", helpful=n, place=n) for n in (1, 2, 3)]
ADD = {"type": "ADD", "section": "u", "content": "new"}


def book() -> Playbook:
    return Playbook([A, B, C])


def do(playbook: Playbook, *plain: dict):
    done = resolve(playbook, DeltaBatch(operations=list(plain)).operations, by="curator", at=5.0)
    assert not done.rejected
    return done


def tag(id_: str, name: str = "helpful") -> dict:
    return {"type": "TAG", "bullet_id": id_, "tag": name}


def update(id_: str, text: str) -> dict:
    return {"type": "UPDATE", "bullet_id": id_, "content": text}


def remove(id_: str) -> dict:
    return {"type": "REMOVE", "bullet_id": id_}


def merge(*ids: str) -> dict:
    return {"type": "MERGE", "bullet_ids": list(ids), "content": "both"}


def archive(id_: str) -> dict:
    return {"type": "ARCHIVE", "bullet_id": id_}


def test_a_batch_is_taken_back_from_its_end():
    done = do(book(), ADD, update("u-00004", "newer"), tag("u-00004"), remove("u-00004"))
    back = inverse(done.playbook, done.applied)
    assert [change["type"] for change in back.applied] == ["RESTORE", "ADJUST", "UPDATE", "REMOVE"]
    assert back.playbook == book()


def test_a_removed_bullet_comes_back_to_its_place_with_its_counters():
    done = do(book(), remove(A.id))
    assert inverse(done.playbook, done.applied).playbook.bullets == book().bullets


def test_a_correction_starts_the_counters_anew_and_taken_back_gives_the_old_ones_back():
    corrected = {**update(C.id, "x"), "corrects": True}
    done = do(book(), tag(C.id, "harmful"), corrected, tag(C.id))
    bullet = done.playbook.get(C.id)
    assert (bullet.helpful, bullet.harmful, bullet.tagged) == (1, 0, (1, 0))
    assert done.applied[1]["counted"] == {"helpful": 3, "harmful": 1, "neutral": 0}
    back = inverse(done.playbook, done.applied[1:2]).playbook.get(C.id)
    assert (back.content, back.helpful, back.harmful) == (C.content, 4, 1)


def test_a_merge_taken_back_brings_all_back():
    done = do(book(), merge(C.id, A.id))
    back = inverse(done.playbook, done.applied)
    assert back.playbook.bullets == book().bullets
    assert [change["type"] for change in back.applied] == ["REMOVE", "RESTORE", "RESTORE"]


def test_that_a_query_was_asked_stays_true():
    changes = [cite(book(), [A.id])]
    after = apply_all(book(), changes, by="reflector", at=5.0)
    back = inverse(after, changes)
    assert (back.applied, back.rejected, back.playbook.queries) == ([], [], 1)


@pytest.mark.parametrize(
    ("earlier", "later", "why"),
    [
        (ADD, remove("u-00004"), "is gone"),
        (ADD, merge("u-00004", A.id), "is gone"),
        (update(A.id, "x"), update(A.id, "y"), "changed again later"),
        (update(A.id, "x"), remove(A.id), "is gone"),
        (tag(A.id), remove(A.id), "is gone"),
        (archive(A.id), {"type": "UNARCHIVE", "bullet_id": A.id}, "moved back already"),
        (merge(A.id, B.id), remove("u-00004"), "is gone"),
    ],
)
def test_what_a_later_change_took_away_cannot_be_taken_back(earlier, later, why):
    done = do(book(), earlier)
    now = do(done.playbook, later).playbook
    back = inverse(now, done.applied)
    assert back.applied == []
    assert back.playbook == now
    assert [(entry["operation"], why in entry["reason"]) for entry in back.rejected] == [(done.applied[0], True)]


def test_the_rest_of_a_batch_is_taken_back_all_the_same():
    done = do(book(), update(A.id, "x"), tag(B.id))
    now = do(done.playbook, update(A.id, "y")).playbook
    back = inverse(now, done.applied)
    assert back.applied == [{"type": "ADJUST", "bullet_id": B.id, "helpful": -1}]
    assert back.playbook.get(B.id).helpful == B.helpful
    assert len(back.rejected) == 1


def test_a_counter_never_falls_below_zero():
    done = do(book(), tag(A.id, "harmful"))
    again = inverse(inverse(done.playbook, done.applied).playbook, done.applied)
    assert "taken back already" in again.rejected[0]["reason"]
    assert again.playbook.get(A.id).harmful == 0


def test_an_adjustment_is_taken_back_as_a_whole_or_not():
    changes = [{"type": "ADJUST", "bullet_id": A.id, "helpful": 2, "harmful": 1, "neutral": 0}]
    after = apply_all(book(), changes, by="person", at=5.0)
    assert inverse(after, changes).applied == [{"type": "ADJUST", "bullet_id": A.id, "helpful": -2, "harmful": -1}]
    assert inverse(after, changes).playbook == book()
    assert inverse(do(book(), tag(A.id)).playbook, changes).applied == []


def test_a_bullet_brought_back_by_somebody_is_not_brought_back_twice():
    done = do(book(), remove(A.id))
    back = inverse(done.playbook, done.applied)
    assert "brought back already" in inverse(back.playbook, done.applied).rejected[0]["reason"]


@pytest.mark.parametrize(
    ("earlier", "later", "rests"),
    [
        (ADD, tag("u-00004"), True),
        (ADD, update("u-00004", "x"), True),
        (ADD, remove("u-00004"), True),
        (ADD, ADD, False),
        (ADD, tag(A.id), False),
        (merge(A.id, B.id), tag("u-00004"), True),
        (merge(A.id, B.id), tag(C.id), False),
        (update(A.id, "x"), update(A.id, "y"), True),
        (update(A.id, "x"), remove(A.id), True),
        (update(A.id, "x"), merge(A.id, B.id), True),
        (update(A.id, "x"), tag(A.id), False),
        (update(A.id, "x"), archive(A.id), False),
        (tag(A.id), update(A.id, "x"), False),
        (tag(A.id), {**update(A.id, "x"), "corrects": True}, True),
        (tag(A.id), tag(A.id), False),
        (archive(A.id), tag(A.id), False),
    ],
)
def test_what_rests_on_what(earlier, later, rests):
    first = do(book(), earlier)
    second = do(first.playbook, later)
    assert depends(second.applied, first.applied) is rests
    assert depends(first.applied, []) is False


def test_a_citation_rests_on_the_bullet_and_bringing_one_back_on_its_removal():
    first = do(book(), ADD)
    assert depends([cite(first.playbook, ["u-00004"])], first.applied)
    gone = do(book(), remove(A.id))
    back = inverse(gone.playbook, gone.applied)
    assert depends(back.applied, gone.applied)
    assert not depends([cite(book(), [A.id])], gone.applied)


def test_a_difference_names_what_came_went_and_changed():
    after = do(book(), remove(A.id), update(B.id, "x"), ADD, archive(C.id)).playbook
    found = difference(book(), after)
    assert [bullet.id for bullet in found.added] == ["u-00004"]
    assert found.removed == [A]
    assert [(old, new.content, new.archived) for old, new in found.changed] == [(B, "x", False), (C, C.content, True)]
    assert difference(after, after) == difference(book(), book()) == ([], [], [])


def test_a_difference_is_the_same_whether_or_not_chunks_are_shared():
    many = Playbook(StoredBullet(f"u-{n:05d}", "u", f"text {n}") for n in range(1, 501))
    after = do(many, update("u-00200", "x"), remove("u-00400"), ADD).playbook
    anew = Playbook(after.bullets)
    assert difference(many, after) == difference(many, anew)
    assert [len(part) for part in difference(many, after)] == [1, 1, 1]


def test_provenance_alone_is_no_difference():
    assert difference(book(), Playbook([A._replace(updated_by="x", last_cited=4), B, C])) == ([], [], [])


def test_the_way_to_another_playbook_and_back():
    after = do(book(), remove(A.id), update(B.id, "x"), tag(B.id), ADD, archive(C.id), merge(B.id, "u-00004")).playbook
    for one, other in ((book(), after), (after, book()), (book(), Playbook()), (Playbook(), after)):
        there = apply_all(one, towards(one, other), by="person", at=9.0)
        assert there == other
        assert inverse(there, towards(one, other)).playbook == one
    assert towards(after, after) == []


def test_a_bullet_of_another_section_is_moved_whole():
    moved = Playbook([A._replace(section="other"), B, C])
    assert [change["type"] for change in towards(book(), moved)] == ["REMOVE", "RESTORE"]
    assert apply_all(book(), towards(book(), moved), by="person", at=9.0) == moved
