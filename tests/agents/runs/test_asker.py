"""What users may do with a run manager: the table of rights, walked over all that a manager and its desks offer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.genai import types

from agents import Event
from agents.access import OWNER, RIGHTS, Action, Extent, Role, User, learner, permits, teacher, viewer, visitor
from agents.ace import DeltaBatch, PlaybookStore
from agents.errors import NotPermittedError, PlaygroundError, SessionExistsError
from agents.forks import BackgroundForks, prepare_fork
from agents.runs import RunManager
from agents.runs.values import ModelChoice
from agents.runs.workers.orders import RunOrder
from agents.sharing import export_session, import_session
from tests.agents.runs.stage import collect, entries, finished, texts

STAGES = Path(__file__).parent / "stages"
ANN, BEN = visitor("ann"), visitor("ben")
LIN, MEI, TEA = learner("lin"), learner("mei"), teacher("tea")
EVA, KIM = User(f"account-{1:016x}", Role.AUTHOR), User(f"account-{2:016x}", Role.USER)
VIC = viewer("vic")

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
def manager(request, tmp_path):
    database = None if request.param == "memory" else tmp_path / "playground.db"
    with RunManager(database=database, agents_dir=STAGES, preparation=prepare_fork) as manager:
        yield manager


class Session(NamedTuple):
    """A session that waits for an answer, and the manager of who asks."""

    asking: RunManager
    pipeline: str
    id: str
    call: str


def pulled(items: AsyncGenerator[Any, None]) -> Any:
    async def first() -> Any:
        try:
            return await anext(items)
        finally:
            await items.aclose()

    return asyncio.run(first())


def forked(s: Session) -> object:
    seq = s.asking.sessions.log(s.pipeline, s.id)[1].seq
    return BackgroundForks(s.asking).rerun(s.pipeline, s.id, at=seq)


FILE = types.Part.from_bytes(data=b"x", mime_type="text/plain")
BATCH = DeltaBatch(operations=[{"type": "ADD", "section": "a", "content": "something new"}])

DOINGS: dict[str, tuple[Action, Any]] = {
    "manager.start": (Action.RUN, lambda s: s.asking.start(s.pipeline, "hello", session_id=s.id)),
    "manager.start app:": (Action.WRITE_APP_STATE, lambda s: s.asking.start(s.pipeline, "hello", state={"app:x": 1})),
    "manager.start own playbook": (Action.EDIT_PLAYBOOK, lambda s: s.asking.start(s.pipeline, "hi", owns_playbook=True)),
    "manager.rerun": (Action.RUN, lambda s: s.asking.rerun(s.pipeline, s.id)),
    "manager.resume": (Action.RUN, lambda s: s.asking.resume(s.pipeline, s.id, "e-1")),
    "manager.answer": (Action.ANSWER, lambda s: s.asking.answer(s.pipeline, s.id, s.call, {"confirmed": True})),
    "manager.subscribe": (Action.READ_SESSION, lambda s: pulled(s.asking.subscribe(s.pipeline, s.id))),
    "manager.playbooks": (Action.READ_PLAYBOOK, lambda s: s.asking.playbooks("p").playbook()),
    "manager.in_store": (Action.USE_SERVICES, lambda s: s.asking.in_store(lambda services: services.sessions.summaries())),
    "manager.work": (Action.USE_SERVICES, lambda s: s.asking.work(lambda services: services.sessions.summaries())),
    "manager.carry_out": (
        Action.USE_SERVICES,
        lambda s: s.asking.carry_out(RunOrder(s.pipeline, None, s.asking.user.id, s.id, ModelChoice())),
    ),
    "manager.shared_session": (Action.SHARE, lambda s: s.asking.shared_session(s.pipeline, s.id)),
    "manager.make_database": (Action.USE_SERVICES, lambda s: s.asking.make_database()),
    "manager.start files": (Action.UPLOAD, lambda s: s.asking.start(s.pipeline, "see", files=[FILE])),
    "playbook.commit": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").commit(BATCH)),
    "playbook.freeze": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").freeze()),
    "playbook.delete": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").delete()),
    "playbook.guard_with": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").guard_with("/tmp/x")),
    "playbook.beside": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").beside("q").commit(BATCH)),
    "playbook.create": (Action.EDIT_PLAYBOOK, lambda s: s.asking.playbooks("p").create("r")),
    "sessions.create": (Action.RUN, lambda s: s.asking.sessions.create(s.pipeline)),
    "sessions.create app:": (Action.WRITE_APP_STATE, lambda s: s.asking.sessions.create(s.pipeline, state={"app:x": 1})),
    "sessions.add_history": (Action.RUN, lambda s: s.asking.sessions.add_history(s.pipeline, s.id, [Event(author="user")])),
    "sessions.rename": (Action.RENAME, lambda s: s.asking.sessions.rename(s.pipeline, s.id, "mine")),
    "sessions.delete": (Action.DELETE, lambda s: s.asking.sessions.delete(s.pipeline, s.id)),
    "sessions.state": (Action.READ_SESSION, lambda s: s.asking.sessions.state(s.pipeline, s.id)),
    "sessions.set_state": (Action.WRITE_STATE, lambda s: s.asking.sessions.set_state(s.pipeline, s.id, {"x": 1})),
    "sessions.set_state user:": (Action.WRITE_STATE, lambda s: s.asking.sessions.set_state(s.pipeline, s.id, {"user:x": 1})),
    "sessions.set_state app:": (
        Action.WRITE_APP_STATE,
        lambda s: s.asking.sessions.set_state(s.pipeline, s.id, {"app:x": 1}),
    ),
    "sessions.find": (Action.READ_SESSION, lambda s: s.asking.sessions.find(s.pipeline, s.id)),
    "sessions.log": (Action.READ_SESSION, lambda s: s.asking.sessions.log(s.pipeline, s.id)),
    "sessions.newest": (Action.READ_SESSION, lambda s: asyncio.run(s.asking.sessions.newest(s.pipeline, s.id, limit=5))),
    "sessions.event_number": (Action.READ_SESSION, lambda s: s.asking.sessions.event_number(s.pipeline, s.id, 3)),
    "sessions.artifact": (Action.READ_SESSION, lambda s: s.asking.sessions.artifact(s.pipeline, s.id, "user:notes")),
    "collection.tag": (Action.RENAME, lambda s: s.asking.collection.tag([(s.pipeline, s.id)], add=["x"])),
    "collection.delete": (Action.DELETE, lambda s: s.asking.collection.delete([(s.pipeline, s.id)])),
    "collection.clean_up": (Action.CLEAN_UP, lambda s: s.asking.collection.clean_up(0)),
    "models.change": (Action.SET_OWN, lambda s: s.asking.models.change(model="simulated")),
    "models.change servers": (
        Action.CHANGE_SETTINGS,
        lambda s: s.asking.models.change(base_urls={"llama": "http://127.0.0.1:9"}),
    ),
    "models.available": (Action.SET_OWN, lambda s: s.asking.models.available("llama")),
    "models.use_key": (Action.SET_OWN, lambda s: s.asking.models.use_key("gemini", None)),
    "models.allow_key": (Action.SET_OWN, lambda s: s.asking.models.allow_key("gemini", "http://127.0.0.1:9")),
    "models.forget_lessons": (Action.CHANGE_SETTINGS, lambda s: s.asking.models.forget_lessons("llama/x")),
    "models.unload": (Action.CHANGE_SETTINGS, lambda s: s.asking.models.unload("local/x")),
    "models.test": (Action.SET_OWN, lambda s: s.asking.models.test("simulated")),
    "forks": (Action.FORK, forked),
    "export": (Action.EXPORT, lambda s: export_session(s.asking, s.pipeline, s.id)),
}
"""Everything that a user can ask a manager for, with the action that it is."""

UNCHECKED = {
    "manager": {
        # who asks, and what only programs do
        "as_user", "key", "may", "require", "listen", "close", "drain", "loss",
        # they tell nothing of sessions that the user does not see
        "pending", "pending_in", "stop", "lost_run", "runs_here",
        # the source of a pipeline, which all see
        "pipeline_of",
    },
    "sessions": {"summaries", "page", "each", "listed", "changes", "texts", "provenance", "restore"},
    "collection": {"search", "excerpts", "tags", "sizes", "restore", "deleted", "preview_clean_up"},
    "models": {"as_user", "check", "next_message", "for_run", "preferences", "connection", "lessons", "loaded"},
}  # fmt: skip
"""Methods that check nothing by themselves; other tests here show what those tell that read sessions."""


@pytest.mark.parametrize("part", UNCHECKED)
def test_no_method_is_forgotten(part):
    with RunManager(database=None, agents_dir=STAGES, preparation=prepare_fork) as manager:
        of = manager if part == "manager" else getattr(manager, part)
        offered = {name for name, _ in inspect.getmembers(type(of), inspect.isroutine) if not name.startswith("_")}
    assert offered - UNCHECKED[part] == {name.split(".")[1].split()[0] for name in DOINGS if name.startswith(f"{part}.")} - {
        "playbooks" if part != "manager" else ""
    }


@pytest.mark.parametrize(
    ("who", "whose"),
    [
        *((ANN, whose) for whose in (OWNER, ANN, BEN)),
        *((LIN, whose) for whose in (OWNER, LIN, MEI)),
        *((TEA, whose) for whose in (OWNER, LIN)),
        *((EVA, whose) for whose in (OWNER, EVA)),
        *((KIM, whose) for whose in (OWNER, EVA)),
        (VIC, OWNER),
    ],
    ids=lambda user: user.id,
)
@pytest.mark.parametrize("doing", DOINGS)
def test_users_do_to_sessions_what_the_table_permits(manager, doing, who, whose):
    action, do = DOINGS[doing]
    theirs = manager.as_user(whose)
    run = theirs.start("asking", "pay 500")
    asyncio.run(collect(theirs.subscribe("asking", run.session_id, after=run.after), finished))
    manager.playbooks("p").freeze(frozen=False)
    [call] = theirs.pending("asking")
    stored = len(manager.sessions.log("asking", run.session_id))
    session = Session(manager.as_user(who), "asking", run.session_id, call.call_id)
    depends = RIGHTS[action][who.role] in {Extent.OWN, Extent.SHOWN, Extent.TAUGHT} and not doing.startswith(
        ("sessions.create", "models.", "manager.start files")
    )
    if permits(who, action, of=whose.id if depends else None):
        try:
            do(session)
        except NotPermittedError:
            raise
        except PlaygroundError:  # permitted, and not possible in this session
            return
        return
    if (
        depends and not who.sees(whose.id) and whose is not OWNER
    ):  # what is not there for others can be neither done nor refused
        with suppress(PlaygroundError):
            try:
                assert not do(session)
            except NotPermittedError as error:
                pytest.fail(f"it says that there is such a session: {error}")
    else:
        with pytest.raises(NotPermittedError, match=r"may not .*\. \w+"):
            do(session)
    assert len(manager.sessions.log("asking", run.session_id)) == stored
    assert manager.pending("asking")


def test_a_visitor_stops_runs_of_their_own_only(manager):
    mine = manager.as_user(ANN).start("rehearsal", "hang")
    owners = manager.start("rehearsal", "hang")
    bens = manager.as_user(BEN).start("rehearsal", "hang")
    ann = manager.as_user(ANN)
    with pytest.raises(NotPermittedError, match="may not stop"):
        ann.stop("rehearsal", owners.session_id)
    assert not ann.stop("rehearsal", bens.session_id)
    assert ann.stop("rehearsal", mine.session_id)
    assert manager.sessions.find("rehearsal", owners.session_id).status == "running"
    assert manager.stop("rehearsal", bens.session_id), "the owner stops anybody's"


def test_lists_show_ones_own_sessions_and_the_owners(manager):
    ids = {}
    for user in (OWNER, ANN, BEN):
        ids[user] = manager.as_user(user).sessions.create("rehearsal")
        manager.as_user(user).collection.tag([("rehearsal", ids[user])], add=["seen"])
    for user, shown in ((OWNER, {OWNER, ANN, BEN}), (ANN, {OWNER, ANN}), (BEN, {OWNER, BEN})):
        asking, expected = manager.as_user(user), {ids[one] for one in shown}
        assert {row.id for row in asking.sessions.summaries()} == expected
        assert {row.id for row in asking.sessions.each()} == expected
        page = asking.sessions.page(limit=9)
        assert ({row.id for row in page.rows}, page.found) == (expected, len(expected))
        assert asyncio.run(asking.sessions.listed(limit=9)) == page
        assert {key[1] for key in asking.collection.search("seen").sessions} == expected
        assert {key[1] for key in asking.collection.tags()} == expected


def test_the_owner_brings_back_or_purges_the_only_session_of_a_visitor(manager):
    mine = manager.as_user(ANN).sessions.create("rehearsal")
    assert manager.collection.delete([("rehearsal", mine)]) == [("rehearsal", mine)]
    assert [row.id for row in manager.collection.deleted()] == [mine]
    assert manager.as_user(BEN).collection.deleted() == []
    assert manager.collection.restore([("rehearsal", mine)]) == [("rehearsal", mine)]
    assert [row.id for row in manager.as_user(ANN).sessions.summaries()] == [mine]
    manager.collection.delete([("rehearsal", mine)])
    manager.collection.clean_up(0)
    assert manager.collection.deleted() == []
    assert manager.collection.restore([("rehearsal", mine)]) == []


def test_user_state_is_each_users_own(manager):
    ann = manager.as_user(ANN)
    mine, owners = ann.sessions.create("rehearsal", state={"user:name": "Ann"}), manager.sessions.create("rehearsal")
    assert ann.sessions.state("rehearsal", mine)["user:name"] == "Ann"
    assert "user:name" not in manager.sessions.state("rehearsal", owners)


def test_an_id_names_one_session_to_everybody(manager):
    manager.sessions.create("rehearsal", session_id="lesson")
    with pytest.raises(SessionExistsError, match="another id"):
        manager.as_user(ANN).sessions.create("rehearsal", session_id="lesson")
    manager.as_user(ANN).sessions.create("rehearsal", session_id="mine")
    assert manager.sessions.state("rehearsal", "mine")["stage"] == "empty"
    manager.sessions.rename("rehearsal", "mine", "seen by the owner")
    assert {row.title for row in manager.sessions.summaries()} == {"", "seen by the owner"}


def test_a_bulk_deletion_with_one_session_of_another_deletes_none(manager):
    mine, owners = manager.as_user(ANN).sessions.create("rehearsal"), manager.sessions.create("rehearsal")
    with pytest.raises(NotPermittedError):
        manager.as_user(ANN).collection.delete([("rehearsal", mine), ("rehearsal", owners)])
    assert len(manager.sessions.summaries()) == 2


async def test_a_visitor_watches_the_owners_run_live(manager):
    run = await asyncio.to_thread(manager.start, "rehearsal", "talk 2")
    seen = await collect(manager.as_user(ANN).subscribe("rehearsal", run.session_id), finished)
    assert texts(seen)
    assert entries(seen)


def test_a_visitor_cannot_import(manager):
    run = manager.start("rehearsal", "talk 1")
    file = export_session(manager, "rehearsal", run.session_id)
    with pytest.raises(NotPermittedError, match="import"):
        import_session(manager.as_user(ANN), file)


def test_a_store_of_programs_is_the_owners(tmp_path):
    PlaybookStore(tmp_path / "p.db").commit(BATCH)


async def test_what_a_visitor_teaches_waits_until_the_owner_approves(manager):
    ann = manager.as_user(ANN)
    run = await asyncio.to_thread(ann.start, "ace", manager.catalog.get("ace").card.samples[0])
    await collect(ann.subscribe("ace", run.session_id, after=run.after), finished)
    assert len(manager.playbooks("ace").playbook()) == 0
    [asked] = manager.pending("ace")
    decisions = {"decisions": [{"verdict": "approve"} for _ in asked.args["operations"]]}
    with pytest.raises(NotPermittedError, match="may not approve"):
        await asyncio.to_thread(ann.answer, "ace", run.session_id, asked.call_id, decisions)
    assert len(manager.playbooks("ace").playbook()) == 0
    approved = await asyncio.to_thread(manager.answer, "ace", run.session_id, asked.call_id, decisions)
    await collect(manager.subscribe("ace", run.session_id, after=approved.after), finished)
    assert len(manager.playbooks("ace").playbook()) > 0


def said(manager, pipeline, text, session_id=None, state=None):
    """The session in which it was said, once its run is over."""
    run = manager.start(pipeline, text, session_id=session_id, state=state)
    asyncio.run(collect(manager.subscribe(pipeline, run.session_id, after=run.after), finished))
    return run.session_id


@pytest.mark.parametrize("verdict", [{"right": False, "answer": "0.67"}, {"outcome": "exit code 1: expected 0.67"}])
def test_what_a_visitor_says_of_an_answer_waits_and_their_settings_take_nothing_from_a_playbook(manager, verdict):
    question, other, *_ = manager.catalog.get("ace").card.samples
    said(manager, "ace", other)
    said(manager, "ace", question)
    store = manager.playbooks("ace")
    known = store.playbook()
    assert len(known) == 2
    ann = manager.as_user(ANN)
    hers = ann.sessions.create("ace", state={"archive_after": 1})
    said(ann, "ace", question.partition("\n")[0], hers)
    event = next(one.seq for one in ann.sessions.log("ace", hers) if one.kind == "event" and "final_answer" in one.body)
    said(ann, "ace", "👎", hers, {"verdict": verdict | {"event": event}})
    assert store.playbook().to_text() == known.to_text()
    [asked] = ann.pending("ace")
    decisions = {"decisions": [{"verdict": "approve"} for _ in asked.args["operations"]]}
    with pytest.raises(NotPermittedError, match="may not approve"):
        ann.answer("ace", hers, asked.call_id, decisions)
    approved = manager.answer("ace", hers, asked.call_id, decisions)
    asyncio.run(collect(manager.subscribe("ace", hers, after=approved.after), finished))
    learnt = store.playbook()
    assert learnt.to_text() != known.to_text()
    assert learnt.stats()["archived"] == []
    assert {bullet.id for bullet in learnt.bullets} >= {bullet.id for bullet in known.bullets}


def test_what_a_visitors_run_writes_to_all_sessions_stays_in_its_own(manager):
    ann, ben = manager.as_user(ANN), manager.as_user(BEN)
    mine = said(manager, "noting", "the owner's")
    hers = said(ann, "noting", "ann's")
    assert ann.sessions.state("noting", hers)["app:note"] == "ann's"
    for asking in (manager, ben, ann):
        assert asking.sessions.state("noting", asking.sessions.create("noting"))["app:note"] == "the owner's"
    assert manager.sessions.state("noting", mine) == {"app:note": "the owner's", "user:note": "the owner's"}
    said(manager, "noting", "newer")
    assert ann.sessions.state("noting", hers)["app:note"] == "ann's"
    said(manager, "noting", "by the owner, in a visitor's session", hers)
    assert manager.sessions.state("noting", mine)["app:note"] == "newer"
    [began, *_] = [entry for entry in ann.sessions.log("noting", hers) if entry.kind == "run_started"]
    assert began.fields()["app_state"] == "session"


def test_an_agent_that_asks_nobody_teaches_no_playbook_in_a_visitors_run(manager):
    ann = manager.as_user(ANN)
    session = said(ann, "noting", "teach")
    assert "what a visitor's run teaches a playbook waits for" in ann.sessions.log("noting", session)[-1].body
    assert len(manager.playbooks("noting").playbook()) == 0
    said(manager, "noting", "teach")
    assert len(manager.playbooks("noting").playbook()) == 1
