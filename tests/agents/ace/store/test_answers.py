"""Judged answers, and playbooks that are deleted and restored."""

from __future__ import annotations

import pytest

from agents.ace import Add, DeltaBatch, Judgement, PlaybookStore
from agents.errors import PlaybookExistsError, PlaybookNotFoundError
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from tests.agents.ace.cycles import LEARNS, NO_ERROR, Stage, answer, reflection

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["file", "memory"])
def store(request, tmp_path):
    with PlaybookStore(tmp_path / "p.db" if request.param == "file" else InMemoryPlaybookRepository(), name="mine") as store:
        yield store


def judged(right: bool | None, *, seq: int = 1, feedback: str = "ground truth", question: str = "How much?") -> DeltaBatch:
    found = Judgement(question=question, answer_seq=seq, right=right, feedback=feedback)
    return DeltaBatch(by="reflector", cited=[], judgement=found)


def told(store: PlaybookStore) -> list[tuple]:
    return [(found.seq, found.revision, found.right, found.feedback) for found in store.answers()]


def test_a_playbook_that_is_not_there_has_no_answers(store):
    assert store.answers() == []


def test_answers_are_listed_in_order_each_as_it_was_judged_last(store):
    store.commit(judged(None, seq=3, feedback="nothing"))
    store.commit(judged(right=True, seq=9))
    store.commit(DeltaBatch(by="reflector", judgement=judged(right=False, seq=3, feedback="person").judgement))
    assert told(store) == [(3, 0, False, "person"), (9, 1, True, "ground truth")]
    assert [found.question for found in store.answers()] == ["How much?"] * 2


def test_a_frozen_playbook_counts_answers_and_changes_in_nothing_else(store):
    store.freeze()
    assert store.commit(judged(right=False)).revision == 0
    assert told(store) == [(1, 0, False, "ground truth")]
    assert store.history() == []


def test_a_deleted_playbook_frees_its_name_and_comes_back_whole(store):
    store.commit(DeltaBatch(operations=[Add(section="units", content="Compare the units.")]))
    store.commit(judged(right=True))
    store.delete()
    assert store.names() == []
    assert (len(store.playbook()), store.answers(), store.history()) == (0, [], [])
    with pytest.raises(PlaybookNotFoundError):
        store.delete()
    assert store.restore()
    assert [bullet.content for bullet in store.playbook().bullets] == ["Compare the units."]
    assert told(store) == [(1, 1, True, "ground truth")]
    assert not store.restore()


def test_a_name_that_was_taken_since_stays_with_its_new_playbook(store):
    for text in ("first", "second"):
        store.commit(DeltaBatch(operations=[Add(section="units", content=text)]))
        store.delete()
    store.create("mine")
    with pytest.raises(PlaybookExistsError):
        store.restore()
    store.delete()
    assert store.restore()
    assert len(store.playbook()) == 0, "the one that was deleted last"
    store.delete()
    assert [info.name for info in store.names()] == []


async def test_a_run_says_what_feedback_said_of_its_answer():
    stage = Stage()
    await stage.say("How much is it?\nAnswer: 1.5", *LEARNS)
    await stage.say("How much is it?\nAnswer: 2", answer(), *[reflection()] * 3, LEARNS[-1])
    await stage.say("How much is it?", answer(), NO_ERROR, LEARNS[-1])
    found = stage.store.answers()
    assert [(one.right, one.feedback) for one in found] == [
        (True, "ground truth"),
        (False, "ground truth"),
        (None, "nothing"),
    ]
    assert {one.question for one in found} == {"How much is it?"}


async def test_a_thumb_counts_for_the_answer_that_it_is_about():
    stage = Stage(feedback_from="person")
    first = await stage.say("First?", answer("1"))
    await stage.say("Second?", answer("2"))
    assert stage.store.answers() == [], "nobody has judged them yet"
    seq = next(event.seq for event in first.events if event.author == "Generator")
    await stage.say("👎", *[NO_ERROR] * 3, LEARNS[-1], verdict={"right": False, "event": seq})
    assert [(one.question, one.right, one.feedback) for one in stage.store.answers()] == [("First?", False, "person")]
    await stage.say("Third?", answer("3"))
    await stage.say("👍", NO_ERROR, LEARNS[-1])
    found = stage.store.answers()
    assert [(one.question, one.right) for one in found] == [("First?", False), ("Third?", True)]
    assert found[0].seq == seq
