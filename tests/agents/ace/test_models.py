"""The names of `agents.ace` as ordinary models, and a playbook written to the state as a dictionary."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from pydantic import BaseModel, ValidationError

from agents.ace import Add, Bullet, DeltaBatch, DeltaOperation, Playbook, PlaybookStore
from agents.ace.store.reducer import PlaybookReducer
from agents.errors import StateValueError
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Origin
from agents.storage.sqlite.database import transaction
from agents.storage.sqlite.migrations import migrate

HERE = Origin("app", "s1", "i1", 7, 5.0)
ADD = DeltaOperation(type="ADD", section="units", content="Compare units.")


@pytest.fixture
def playbooks():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        with transaction(conn):
            migrate(conn)
        yield StoredPlaybookTransaction(conn)


class Holder(BaseModel):
    operations: list[DeltaOperation]
    playbook: Playbook
    bullet: Bullet


# -- operations


def test_an_operation_is_made_by_its_type():
    assert Add(section="units", content="Compare units.") == ADD
    assert isinstance(ADD, DeltaOperation)
    assert DeltaOperation.model_validate(ADD.model_dump()) == ADD
    assert DeltaOperation.model_validate_json(ADD.model_dump_json()) == ADD
    assert DeltaBatch(reasoning="Why.", operations=[ADD]).operations == [ADD]


def test_only_what_an_operation_needs_is_required_and_a_tag_may_stand_in_metadata():
    assert DeltaOperation(type="REMOVE", bullet_id="a-1", section="units").bullet_id == "a-1"
    assert DeltaOperation(type="TAG", bullet_id="a-1", metadata={"harmful": 1}).tag == "harmful"
    for wrong in ({"type": "ADD"}, {"type": "NOPE"}, {"section": "units", "content": "x"}):
        with pytest.raises(ValidationError):
            DeltaOperation(**wrong)


# -- bullets


def test_a_bullet_is_tagged_in_place():
    bullet = Bullet(id="a-1", section="units", content="Compare units.")

    assert bullet.tag("helpful") is bullet
    bullet.tag("harmful", 2)
    assert (bullet.helpful, bullet.harmful, bullet.neutral) == (1, 2, 0)
    assert (
        Bullet.model_validate(bullet.model_dump()) == bullet != Bullet(id="a-1", section="units", content="Compare units.")
    )
    with pytest.raises(ValueError, match="'good' is no tag"):
        bullet.tag("good")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValidationError):
        Bullet(id="a-1", section="units")  # pyright: ignore[reportCallIssue]


def test_a_playbook_takes_such_bullets_and_gives_its_own():
    bullet = Bullet(id="a-00001", section="units", content="Compare units.", helpful=2)
    (own,) = Playbook([bullet]).bullets

    assert Bullet.model_validate(own) == bullet.model_copy(update={"place": 1})
    assert (own.tag("helpful").helpful, own.helpful) == (3, 2), "a playbook's own stays as it is"


# -- playbooks


def test_a_playbook_of_ones_own_is_changed_by_a_delta():
    playbook = Playbook()

    assert playbook.apply_delta(DeltaBatch(operations=[ADD])) is playbook
    playbook.apply_delta({"operations": [{"type": "TAG", "bullet_id": "units-00001", "tag": "helpful"}]})

    assert [(bullet.id, bullet.helpful) for bullet in playbook.bullets] == [("units-00001", 1)]
    assert Playbook.model_validate(playbook.model_dump()) == playbook
    assert Playbook.model_validate_json(playbook.model_dump_json()) == playbook


def test_a_playbook_of_a_store_stays_as_it_is(tmp_path):
    with PlaybookStore(tmp_path / "p.db") as store:
        store.commit(DeltaBatch(operations=[ADD]))
        kept = store.playbook()
        changed = kept.apply_delta(DeltaBatch(operations=[DeltaOperation(type="REMOVE", bullet_id="units-00001")]))

        assert (len(kept), len(changed), len(store.playbook())) == (1, 0, 1)
        own = Playbook.from_dict(kept)
        assert own == kept
        own.apply_delta(DeltaBatch(operations=[ADD]))
        assert (len(own), len(store.playbook())) == (2, 1)


def test_all_of_them_can_be_fields():
    held = Holder(
        operations=[{"type": "ADD", "section": "a", "content": "b"}],  # pyright: ignore[reportArgumentType]
        playbook=Playbook().apply_delta(DeltaBatch(operations=[ADD])),
        bullet=Bullet(id="a", section="b", content="c"),
    )

    assert Holder.model_validate_json(held.model_dump_json()) == held


# -- the dictionary form in the state


def written(playbooks, value, *, reducer: PlaybookReducer | None = None) -> dict:
    PlaybookReducer.check("app:playbook", value)
    return (reducer or PlaybookReducer()).commit(playbooks, json.loads(json.dumps(value)), {}, HERE)


def stored(playbooks) -> Playbook:
    return PlaybookReducer().read(playbooks, "app", {})


def test_a_dictionary_is_committed_as_what_is_different(playbooks):
    first = written(
        playbooks, Playbook().apply_delta(DeltaBatch(operations=[ADD, ADD.model_copy(update={"content": "B"})])).to_dict()
    )
    assert [change["type"] for change in first["applied"]] == ["ADD", "ADD"]

    form = stored(playbooks).to_dict()
    form["bullets"]["units-00001"]["content"] = "Compare the units."
    form["bullets"]["units-00001"]["helpful"] = 3
    del form["bullets"]["units-00002"]
    form["bullets"]["mine-00077"] = {"content": "New.", "neutral": 1}
    form["sections"] = {"units": ["units-00001"], "rates": ["mine-00077"]}
    second = written(playbooks, form)

    assert [change["type"] for change in second["applied"]] == ["REMOVE", "UPDATE", "ADJUST", "ADD", "ADJUST"]
    assert [(b.id, b.content, b.helpful, b.neutral) for b in stored(playbooks).bullets] == [
        ("units-00001", "Compare the units.", 3, 0),
        ("rates-00003", "New.", 0, 1),
    ], "ids are the store's"
    assert (second["revision"], second["rejected"]) == (2, [])
    assert written(playbooks, stored(playbooks).to_dict())["revision"] == 2, "the same again is no change"
    assert PlaybookReducer().ledger.at(playbooks, "app", 2) == stored(playbooks)


def test_what_cannot_be_applied_is_rejected_with_a_reason(playbooks):
    written(playbooks, Playbook().apply_delta(DeltaBatch(operations=[ADD])).to_dict())
    form = stored(playbooks).to_dict()
    form["bullets"]["units-00001"] |= {"section": "other", "content": "  "}
    form["bullets"]["x-1"] = {"section": "s", "content": "y" * 2001}
    form["sections"] = {}

    found = written(playbooks, form)

    reasons = " ".join(one["reason"] for one in found["rejected"])
    assert found["applied"] == []
    assert "keeps its section" in reasons
    assert "must say something" in reasons
    assert "2,001 characters" in reasons
    assert len(stored(playbooks)) == 1


@pytest.mark.parametrize("value", [{"bullets": []}, {"bullets": {"a": 1}}, {"bullets": {}, "sections": {"s": ["gone"]}}])
def test_a_dictionary_of_another_shape_is_refused(value):
    with pytest.raises(StateValueError, match="cannot take this playbook"):
        PlaybookReducer.check("app:playbook", value)
