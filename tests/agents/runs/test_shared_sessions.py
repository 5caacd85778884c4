"""Sessions that a link shares: what is seen of them, who continues them, and what happens when the link ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agents.access import OWNER, LinkRole, Role, User, viewer
from agents.errors import NotPermittedError
from agents.runs import RunManager
from agents.teams import STARTS
from agents.workspace import Workspace
from tests.agents.runs.stage import collect, finished

STAGES = Path(__file__).parent / "stages"
EVA, GUEST = User("account-0000000000000001", Role.AUTHOR), viewer("guest")


@pytest.fixture(params=["memory", "sqlite"])
def manager(request, tmp_path):
    with RunManager(database=tmp_path / "play.db" if request.param == "sqlite" else None, agents_dir=STAGES) as manager:
        yield manager


def begun(manager: RunManager, message: str = "pay 500", *, pipeline: str = "asking", **more: object) -> str:
    run = manager.start(pipeline, message, **more)
    asyncio.run(collect(manager.subscribe(pipeline, run.session_id, after=run.after), finished))
    return run.session_id


async def rest(news: AsyncGenerator[object, None], seen: list[object]) -> None:
    seen.extend([item async for item in news])


def shared(manager: RunManager, session: str, role: LinkRole, *, pipeline: str = "asking") -> tuple[RunManager, str]:
    """The manager of a guest with whom a link shares a session, and the link's id."""
    link, text = manager.links.make(manager.user, manager.shared_session(pipeline, session), role, days=1)
    manager.links.open(GUEST, text, now=time.time())
    return manager.as_user(GUEST), link.id


def test_who_may_read_reads_that_session_and_no_other(manager):
    eva = manager.as_user(EVA)
    session, other = begun(eva), begun(eva, "pay 7")
    guest, _ = shared(eva, session, LinkRole.READ)
    assert guest.sessions.find("asking", session).title == "pay 500"
    assert [e.kind for e in guest.sessions.log("asking", session)] == [e.kind for e in eva.sessions.log("asking", session)]
    assert guest.sessions.page(limit=9).rows == ()
    assert guest.sessions.summaries() == []
    assert guest.collection.search("pay").sessions == ()
    assert guest.pending() == []
    with pytest.raises(NotPermittedError):
        guest.sessions.find("asking", other)
    [call] = [call for call in eva.pending() if call.session_id == session]
    for do in (
        lambda: guest.start("asking", "pay 8", session_id=session),
        lambda: guest.answer("asking", session, call.call_id, {"confirmed": True}),
        lambda: guest.rerun("asking", session),
        lambda: guest.sessions.rename("asking", session, "mine"),
        lambda: guest.start("asking", "one of my own"),
    ):
        with pytest.raises(NotPermittedError):
            do()
    assert [call.call_id for call in eva.pending() if call.session_id == session]


def test_who_may_continue_answers_and_runs_in_the_session_of_the_other(manager):
    eva = manager.as_user(EVA)
    session = begun(eva)
    guest, _ = shared(eva, session, LinkRole.CONTINUE)
    [call] = eva.pending()
    run = guest.answer("asking", session, call.call_id, {"confirmed": True})
    asyncio.run(collect(guest.subscribe("asking", session, after=run.after), finished))
    assert eva.pending() == []
    assert run.user_id == EVA.id
    for state in ({"user:name": "mine"}, {"app:name": "mine"}, {"playbook_name": "finance"}):
        with pytest.raises(NotPermittedError):
            guest.start("asking", "pay 9", session_id=session, state=state)
    for do in (guest.sessions.delete, eva.as_user(viewer("other")).sessions.log):
        with pytest.raises(NotPermittedError):
            do("asking", session)


def test_who_may_continue_stops_what_runs_there(manager):
    eva = manager.as_user(EVA)
    session = eva.start("rehearsal", "hang").session_id
    reader, link = shared(eva, session, LinkRole.READ, pipeline="rehearsal")
    with pytest.raises(NotPermittedError, match="may not stop"):
        reader.stop("rehearsal", session)
    eva.links.revoke(EVA, link)
    guest, _ = shared(eva, session, LinkRole.CONTINUE, pipeline="rehearsal")
    assert not eva.as_user(viewer("other")).stop("rehearsal", session)
    assert guest.stop("rehearsal", session)


def test_a_link_shows_no_state_of_other_sessions(manager):
    manager.sessions.set_state("asking", begun(manager), {"user:phone": "phone-of-eva-555", "app:code": "x", "own": 1})
    session = begun(manager)
    manager.sessions.set_state("asking", session, {"own": 2})
    guest, _ = shared(manager, session, LinkRole.READ)
    assert manager.sessions.state("asking", session)["user:phone"] == "phone-of-eva-555"
    state = guest.sessions.state("asking", session)
    assert {key for key in state if key.startswith(("app:", "user:"))} == set()
    assert state["own"] == 2
    told = [*guest.sessions.log("asking", session), *asyncio.run(guest.sessions.newest("asking", session, limit=99))]
    batches = asyncio.run(collect(guest.subscribe("asking", session), lambda _: True))
    assert "phone-of-eva-555" in str(manager.sessions.log("asking", session))
    assert "phone-of-eva-555" not in str(told) + str(batches)


def test_who_watches_sees_nothing_more_once_the_link_is_revoked(manager):
    eva = manager.as_user(EVA)
    session = begun(eva)
    guest, link = shared(eva, session, LinkRole.READ)

    async def watch() -> list[object]:
        seen: list[object] = []
        news = guest.subscribe("asking", session)
        seen.append(await anext(news))
        eva.links.revoke(EVA, link)
        await asyncio.to_thread(eva.sessions.set_state, "asking", session, {"later": "hidden"})
        with pytest.raises(NotPermittedError):
            await rest(news, seen)
        return seen

    assert "hidden" not in str(asyncio.run(watch()))


def test_the_team_of_a_shared_session_is_known_to_those_who_see_the_session(tmp_path):
    with Workspace(tmp_path / "play.db") as workspace:
        eva, kim = workspace.as_user(EVA), workspace.as_user(User("account-0000000000000002", Role.USER))
        eva.teams.create("mine", STARTS[0].files)
        session = begun(eva.runs, "hello", pipeline="mine", model="simulated")
        assert "mine" in eva.runs.catalog.names()
        assert "mine" in workspace.runs.catalog.names()
        guest = workspace.as_user(GUEST)
        for other in (kim, guest):
            assert "mine" not in other.runs.catalog.names()
        shared(eva.runs, session, LinkRole.READ, pipeline="mine")
        assert guest.runs.pipeline_of("mine", session).name == "mine"
        assert "mine" not in kim.runs.catalog.names()
        assert "mine" not in guest.teams.names()


def test_the_owner_answers_and_stops_anybodys(manager):
    session = begun(manager.as_user(EVA))
    [call] = manager.pending()
    assert manager.answer("asking", session, call.call_id, {"confirmed": False}).user_id == EVA.id
    assert manager.user == OWNER
