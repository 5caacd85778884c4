"""Ten attacks: a false rule enters, sessions go wrong, the log names every answer that it touched, one undo heals."""

from __future__ import annotations

from contextlib import aclosing
from random import Random

import pytest
from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace import DeltaBatch, Judgement, PlaybookStore
from agents.errors import PlaybookNotFoundError
from agents.lab.poison import heal, infection_of, texts_in
from agents.models import SimulatedLlm
from agents.pipelines import load_built_in
from agents.pipelines.ace.families import FAMILIES, draw_question
from agents.pipelines.ace.simulation import SIMULATION
from agents.storage.reducer import Origin

pytestmark = pytest.mark.anyio

BY_MESSAGE, BY_TOOL = "{question}\nAnswer: {false}", "{question}\nOutcome: exit code 1: expected {false}"
ATTACKS = [
    ("current ratio", "current liabilities / current assets", BY_MESSAGE),
    ("current ratio", "current assets * current liabilities", BY_TOOL),
    ("gross profit", "revenue + cost of goods sold", BY_MESSAGE),
    ("gross profit", "revenue + cost of goods sold", BY_TOOL),
    ("total cost", "material cost - labour cost", BY_MESSAGE),
    ("total cost", "material cost - labour cost", BY_TOOL),
    ("weekly pay", "working time + hourly wage", BY_MESSAGE),
    ("weekly pay", "working time + hourly wage", BY_TOOL),
    ("share per person", "bill / persons + tip", BY_MESSAGE),
    ("share per person", "bill / persons - tip", BY_TOOL),
]
NAMES = tuple(dict.fromkeys(name for name, _, _ in ATTACKS))
FAMILY = {family.name: family for family in FAMILIES}


class World:
    """A playbook and the sessions that use it."""

    def __init__(self):
        self.service = InMemorySessionService()
        self.store = PlaybookStore(self.service.tables, "ace")
        self.runner = Runner(app_name="ace", agent=load_built_in("ace").root_agent, session_service=self.service)
        self.config = RunConfig(model=SimulatedLlm(simulation=SIMULATION, words_per_second=0))

    async def ask(self, text):
        """Asks in a session of its own. The session's id, the answer, and the bullets that it cites."""
        session = await self.service.create_session(app_name="ace", user_id="u")
        message = types.Content(role="user", parts=[types.Part(text=text)])
        run = self.runner.run_async(user_id="u", session_id=session.id, new_message=message, run_config=self.config)
        said = {}
        async with aclosing(run) as events:
            async for event in events:
                said = event.actions.state_delta.get("generator_output") or said
        return session.id, said["final_answer"], said["bullet_ids"]


def drawn(name, rng, formula=None):
    family = FAMILY[name] if formula is None else FAMILY[name]._replace(formula=formula)
    return draw_question(family, rng)


async def learned(seed):
    """A world that knows all families."""
    world, rng = World(), Random(seed)
    for _ in range(3):
        for name in NAMES:
            question = drawn(name, rng)
            await world.ask(f"{question.text}\nAnswer: {question.answer}")
    return world


def knowledge(playbook):
    return [(bullet.section, bullet.content, bullet.archived) for bullet in playbook.bullets]


@pytest.mark.parametrize("number", range(len(ATTACKS)))
async def test_one_undo_heals_what_a_false_rule_did(number):
    name, formula, entry = ATTACKS[number]
    poisoned, clean = await learned(number), await learned(number)
    assert knowledge(poisoned.store.playbook()) == knowledge(clean.store.playbook())
    false = drawn(name, Random(100 + number), formula)
    before = poisoned.store.playbook()
    attack, _, _ = await poisoned.ask(entry.format(question=false.text, false=false.answer))
    texts = {bullet.id: bullet.content for bullet in before.bullets}
    (bullet,) = (one for one in poisoned.store.playbook().bullets if texts.get(one.id) != one.content)
    rng, cites, differs = Random(200 + number), set(), set()
    for asked in [*NAMES, *NAMES]:
        question = drawn(asked, rng)
        session, answer, cited = await poisoned.ask(question.text)
        cites |= {session} if bullet.id in cited else set()
        _, right, _ = await clean.ask(question.text)
        differs |= {session} if answer != right else set()
    found = infection_of(poisoned.store, bullet.id)
    assert found.source.session_id == attack
    assert found.told_by == ("ground truth" if entry is BY_MESSAGE else "execution")
    assert found.text == bullet.content
    assert {answer.session_id for answer in found.answers} == cites == differs
    assert len(found.answers) == len(cites) == 2
    assert (found.ended, found.learned) == (None, ())
    undone = heal(poisoned.store, found)
    assert not undone.rejected
    assert knowledge(poisoned.store.playbook()) == knowledge(clean.store.playbook())
    question = drawn(name, rng)
    assert (await poisoned.ask(question.text))[1] == (await clean.ask(question.text))[1]
    assert infection_of(poisoned.store, bullet.id, revision=found.source.revision).answers == found.answers


async def test_a_deleted_session_is_still_traced():
    world = await learned(1)
    question = drawn("total cost", Random(5))
    session, _, (first, *_) = await world.ask(question.text)
    await world.service.delete_session(app_name="ace", user_id="u", session_id=session)
    assert session in {answer.session_id for answer in infection_of(world.store, first).answers}


async def test_what_a_touched_session_learned_is_named():
    world = World()
    added = world.store.commit(
        DeltaBatch(operations=[{"type": "ADD", "section": "A", "content": "total cost = a part - rest"}])
    )
    false = "total cost = material cost - labour cost"
    bullet_id = added.applied[0]["bullet_id"]
    world.store.commit(DeltaBatch(operations=[{"type": "UPDATE", "bullet_id": bullet_id, "content": false}]))
    question = drawn("total cost", Random(3))
    await world.ask(f"{question.text}\nAnswer: {question.answer}")
    found = infection_of(world.store, bullet_id, revision=2)
    assert found.text == false
    assert [answer.right for answer in found.answers] == [False]
    assert found.ended is not None, "the curator corrected it in the same run"
    assert found.learned == (found.ended,)
    assert infection_of(world.store, bullet_id).source.revision == found.ended


def test_a_bullet_that_never_was_is_refused():
    store = World().store
    for revision in (None, 3):
        with pytest.raises(PlaybookNotFoundError, match="no-00001"):
            infection_of(store, "no-00001", revision=revision)


def committed(store, *operations, cited=None, answer=None, session="s"):
    """A delta of a session, whose answer is judged if it has a `seq`."""
    judgement = None if answer is None else Judgement(question="?", answer_seq=answer, right=True, feedback="person")
    batch = DeltaBatch(operations=list(operations), cited=cited, judgement=judgement)
    origin = Origin("ace", session, session, 1 + (answer or 0), 1.0)
    store.write(lambda playbooks: store.ledger.commit(playbooks, "ace", batch, origin))


def test_answers_whose_playbook_had_the_text_are_told_from_those_that_cite_it():
    store = World().store
    new = {"type": "ADD", "section": "A", "content": "false"}
    id_ = store.commit(DeltaBatch(operations=[new])).applied[0]["bullet_id"]
    other = store.commit(DeltaBatch(operations=[{**new, "content": "another"}])).applied[0]["bullet_id"]
    committed(store, cited=[id_], answer=10)
    committed(store, cited=[other], answer=20)
    store.commit(DeltaBatch(operations=[{"type": "ARCHIVE", "bullet_id": id_}]))
    committed(store, cited=[other], answer=30)
    store.commit(DeltaBatch(operations=[{"type": "UNARCHIVE", "bullet_id": id_}]))
    committed(store, cited=[id_, other], answer=40)
    standing = infection_of(store, id_)
    assert standing.told_by is None
    assert standing.ended is None
    store.commit(DeltaBatch(operations=[{"type": "UPDATE", "bullet_id": id_, "content": "true"}]))
    committed(store, cited=[id_], answer=50)
    found = infection_of(store, id_, revision=1)
    assert [answer.seq for answer in found.answers] == [10, 40]
    assert [answer.seq for answer in found.given] == [10, 20, 40]
    assert (standing.answers, standing.given) == (found.answers, found.given)
    assert found.ended == found.spans[-1].end
    assert len(found.spans) == 2
    assert [answer.seq for answer in infection_of(store, id_).given] == [50]
    assert [record.revision for record in texts_in(store.lineage(id_), id_)] == [1, found.ended]
