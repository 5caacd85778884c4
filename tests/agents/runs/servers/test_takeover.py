"""What becomes of runs that no process runs: resumed, or ended with a reason; and who may take which."""

from __future__ import annotations

import pytest

from agents.errors import RunInProgressError
from agents.log import TraceRecord
from agents.runs.servers.stop_requests import StopRequests
from agents.runs.servers.takeover import MOST_TAKEOVERS, Ending, Resuming, end_run, what_becomes_of
from agents.runs.values import SessionKey
from agents.session import Leases, Orphan
from agents.storage.memory_journal import InMemoryJournal
from agents.storage.sessions import SqliteSessionService
from tests.agents.storage.conftest import S1

pytestmark = pytest.mark.anyio
ORPHAN = Orphan(**{name: S1[name] for name in ("app_name", "user_id", "session_id")}, invocation_id="i1")
STARTED = TraceRecord("run_started", "i1", "root", data={"model": "simulated", "needs_approval": True})


def finished(status: str, **more) -> TraceRecord:
    return TraceRecord("run_finished", "i1", "root", data={"status": status, **more})


CUT_OFF = finished("paused", cut=True, cut_off=True)


@pytest.fixture
async def services(tmp_path, anyio_backend):
    """Two servers of one file; the leases of the first one are over at once."""
    one = SqliteSessionService(tmp_path / "p.db", leases=Leases(-1.0, taken_over=True))
    two = SqliteSessionService(tmp_path / "p.db", leases=Leases(15.0, taken_over=True))
    yield one, two
    await one.close()
    await two.close()


async def left(service, *records) -> None:
    """A run that its server has begun, and does not run any more: its claim stays."""
    session = await service.create_session(**S1)
    claim = service.claim(session, "i1")
    await claim.__aenter__()
    service.kept = claim  # as long as the service lives, and not given back
    await service.append(session, [*records])


@pytest.mark.parametrize(
    ("records", "becomes"),
    [
        ([], Ending()),
        ([STARTED, finished("completed")], Ending()),
        ([STARTED, finished("paused")], Ending()),
        ([STARTED], Resuming),
        ([STARTED, CUT_OFF], Resuming),
        ([STARTED, CUT_OFF, STARTED, finished("completed")], Ending()),
        ([STARTED, *[CUT_OFF, STARTED] * (MOST_TAKEOVERS - 1)], Resuming),
        ([STARTED, *[CUT_OFF, STARTED] * MOST_TAKEOVERS], Ending("interrupted", "4 servers ended")),
        ([TraceRecord("run_started", "i1", "root", data={"asked_by_client": True})], Ending("interrupted", "The program")),
        ([TraceRecord("run_started", "other", "root")], Ending()),
    ],
)
async def test_a_run_that_no_process_runs_is_resumed_or_ended_as_its_log_says(services, records, becomes):
    one, two = services
    await left(one, *records)
    assert await two.orphans() == [ORPHAN]
    found = await what_becomes_of(two, ORPHAN, is_to_stop=False)
    if becomes is Resuming:
        assert isinstance(found, Resuming)
        assert (found.begun.model, found.begun.needs_approval) == ("simulated", True)
        assert await what_becomes_of(two, ORPHAN, is_to_stop=True) == Ending("stopped")
    else:
        assert found.status == becomes.status
        assert found.reason.startswith(becomes.reason)


@pytest.mark.parametrize(
    ("ending", "status"),
    [(Ending(), "running"), (Ending("stopped"), "stopped"), (Ending("interrupted", "Why."), "interrupted")],
)
async def test_a_run_is_ended_with_a_reason_and_its_session_is_released(services, ending, status):
    one, two = services
    await left(one, STARTED)
    await end_run(two, ORPHAN, ending)
    last = (await two.read_log(**S1))[-1].fields()
    assert last.get("status", "running") == status
    assert last.get("error_message", "Why.").endswith("Why.")
    assert await two.orphans() == []


async def test_a_run_whose_lease_goes_on_is_left_alone(services):
    one, two = services
    await left(two, STARTED)
    assert await one.orphans() == []
    assert await one.recover() == 0
    with pytest.raises(RunInProgressError):
        await end_run(one, ORPHAN, Ending("stopped"))
    assert (await one.summary(**S1)).status == "running"


async def test_runs_are_left_to_servers_that_take_over_before_they_are_marked(services, tmp_path):
    one, two = services
    await left(one, STARTED)  # its lease was over a second ago
    assert await two.recover() == 0  # a minute is left
    hasty = SqliteSessionService(tmp_path / "p.db", leases=Leases(0.1, taken_over=True))
    assert await hasty.recover() == 1
    assert (await two.summary(**S1)).status == "interrupted"
    await hasty.close()


def test_requests_to_stop_are_told_once_and_known_from_then_on():
    journal = InMemoryJournal()
    here, there = StopRequests(journal), StopRequests(journal)
    key = SessionKey("app", "s1", "user")
    assert not here.new()
    there.ask(key, "i1")
    assert [tuple(one) for one in here.new()] == [(key, "i1")]
    assert here.new() == []
    assert (here.is_asked("i1"), here.is_asked("i2")) == (True, False)
