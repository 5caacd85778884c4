"""The laws of a playbook's log: it folds to the same everywhere; an undo takes back what it says, and names the rest."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import reduce

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.changes import apply_all
from agents.ace.undo import inverse
from tests.agents.ace.bullets import unhurried
from tests.agents.ace.deltas import GIVEN, TAGS, batches, do, filled, people, start

X, Y = GIVEN[0], GIVEN[1]
EDIT = {"type": "UPDATE", "bullet_id": X, "content": "edited"}
TAG = {"type": "TAG", "bullet_id": X, "tag": "helpful"}
STORE, BRING = ({"type": kind, "bullet_id": X} for kind in ("ARCHIVE", "UNARCHIVE"))
REMOVE, MERGE = {"type": "REMOVE", "bullet_id": X}, {"type": "MERGE", "bullet_ids": [X, Y], "content": "both"}
ADD = {"type": "ADD", "section": "units", "content": "new"}
NEW = {"type": "TAG", "bullet_id": "units-00007", "tag": "harmful"}


@unhurried
@given(batches, people)
def test_5_an_undo_takes_a_batch_back(plain, by):
    before = start()
    after, applied, _ = do(before, plain, by)
    back = inverse(after, applied)
    assert back.rejected == []
    assert back.playbook == before
    assert apply_all(after, back.applied, by="person", at=9.0) == before
    again = inverse(back.playbook, back.applied)
    assert again.rejected == []
    assert again.playbook == after


@unhurried
@given(st.lists(batches, min_size=1, max_size=5), st.data())
def test_5_an_undo_in_the_middle_keeps_what_is_independent_and_names_the_rest(log, data):
    store = filled()
    for plain in log:
        store.commit(DeltaBatch(operations=plain))
    newest = store.playbook().revision
    assume(newest > 1)
    revision = data.draw(st.integers(2, newest), label="undone")
    dependent = store.dependents(revision)
    assert all(revision < later <= newest for later in dependent)
    undone = store.undo(revision)
    assert undone.dependent == dependent
    if not dependent:
        assert not undone.rejected
        records = [record for record in reversed(store.history()) if record.revision <= newest]
        kept = [record for record in records if record.revision != revision]
        wanted = reduce(lambda now, one: apply_all(now, one.applied, by=one.by, at=one.committed_at), kept, Playbook())
        assert store.playbook() == wanted


@pytest.mark.parametrize(
    ("first", "later", "rests"),
    [
        *((one, TAG, False) for one in (TAG, EDIT, STORE, ADD)),
        *((one, EDIT | {"content": "again"}, one is EDIT) for one in (TAG, EDIT, STORE, ADD)),
        *((one, ADD, False) for one in (TAG, EDIT, STORE, REMOVE, MERGE)),
        *((one, last, True) for one in (TAG, EDIT, STORE) for last in (REMOVE, MERGE)),
        (STORE, BRING, True),
        (ADD, NEW, True),
        (MERGE, NEW, True),
    ],
)
def test_5_what_rests_on_a_delta_is_named_and_what_does_not_stays(first, later, rests):
    store = filled()
    for plain in ([first], [later], [{"type": "TAG", "bullet_id": GIVEN[4], "tag": "neutral"}]):
        assert not store.commit(DeltaBatch(operations=plain)).rejected
    assert store.dependents(2) == ([3] if rests else [])
    assert store.undo(2).dependent == ([3] if rests else [])
    assert store.playbook().get(GIVEN[4]).neutral == start().get(GIVEN[4]).neutral + 1


def test_5_a_roll_back_rests_on_what_it_went_back_behind():
    store = filled()
    store.commit(DeltaBatch(operations=[TAG]))
    store.roll_back(1)
    assert store.dependents(2) == [3]
    assert store.undo(2).applied == []
    assert store.playbook() == store.at(1)


@unhurried
@given(batches.filter(len), st.integers(1, 3))
def test_5_what_was_taken_back_is_not_taken_back_twice(plain, times):
    store = filled()
    store.commit(DeltaBatch(operations=plain))
    before, record = store.at(1), store.history(limit=1)[0]
    assert store.undo(2).applied or not record.applied
    for _ in range(times):
        again = store.undo(2)
        assert again.applied == []
        assert [rejection["operation"] for rejection in again.rejected] == record.applied
        assert all("already" in rejection["reason"] for rejection in again.rejected)
    assert store.playbook() == before


@unhurried
@given(st.lists(batches, max_size=4), st.data())
def test_5_every_revision_can_be_gone_back_to(log, data):
    store = filled()
    for plain in log:
        store.commit(DeltaBatch(operations=plain))
    newest = store.playbook()
    revision = data.draw(st.integers(0, newest.revision), label="revision")
    wanted = store.at(revision)
    store.roll_back(revision)
    assert store.playbook() == wanted
    assert store.playbook().next_number >= newest.next_number
    if store.playbook().revision > newest.revision:
        store.undo(store.playbook().revision)
        assert store.playbook() == newest


_FOLDS = """
import hashlib, sys
from agents.ace import PlaybookStore
with PlaybookStore(sys.argv[1]) as store:
    for revision in range(store.playbook().revision + 1):
        print(hashlib.sha256(store.at(revision).to_json().encode()).hexdigest())
"""


def test_5_a_fold_is_the_same_bytes_in_every_process(tmp_path):
    path = tmp_path / "p.db"
    with PlaybookStore(path) as store:
        store.import_playbook(start(), by="importé")
        for number in range(25):
            id_ = GIVEN[number % len(GIVEN)]
            plain = [
                {"type": "ADD", "section": f"Section {number % 7}", "content": f"净利润 \n## {number}"},
                {"type": "UPDATE", "bullet_id": id_, "content": f"now {number}"},
                {"type": "TAG", "bullet_id": store.playbook().bullets[-1].id, "tag": TAGS[number % 3]},
                {"type": "ARCHIVE", "bullet_id": id_},
            ]
            if number % 5 == 4:
                plain.append(
                    {"type": "MERGE", "bullet_ids": [b.id for b in store.playbook().bullets[-2:]], "content": "both"}
                )
            store.commit(DeltaBatch(operations=plain, cited=[id_]))
            if number % 6 == 5:
                store.undo(number)
        store.roll_back(20)
        newest = store.playbook().revision
        folds = [hashlib.sha256(store.at(revision).to_json().encode()).hexdigest() for revision in range(newest + 1)]
    assert len(set(folds)) == len(folds)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", _FOLDS, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == folds
