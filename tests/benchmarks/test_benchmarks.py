"""The workloads do what the report says they do, and the report judges rightly. Times nothing, needs no google-adk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from agents.ace import Playbook, PlaybookStore
from agents.ace.bullet import StoredBullet
from agents.ace.refine.refinement import duplicates
from agents.runs import RunManager
from tests.benchmarks import lab_runs, plan, report
from tests.benchmarks.experiments import LongSession
from tests.benchmarks.imports import ROOT
from tests.benchmarks.long_session import PIPELINE
from tests.benchmarks.many_sessions import ManySessions
from tests.benchmarks.official_ace import OfficialBook
from tests.benchmarks.other_ace import OtherBook
from tests.benchmarks.playbook_values import THRESHOLD, seconds_of
from tests.benchmarks.playbook_writers import write_at_once
from tests.benchmarks.playbooks import SECTIONS, Book, sentences
from tests.benchmarks.sides import history, load
from tests.benchmarks.storage import Store
from tests.benchmarks.workloads import APP, USER, WORKLOADS, Script, furnish, measure

pytestmark = pytest.mark.usefixtures("own_garbage")

SENT = {"single": 1, "loop": 50 * 51 // 2, "parallel": 16, "tool": 1 + 3, "turn_100": 1, "turn_5000": 1}


@pytest.fixture(scope="module")
def side():
    return load("ours")


@pytest.mark.anyio
@pytest.mark.parametrize("name", SENT)
async def test_a_workload_yields_its_events_and_sends_what_it_should(side, name):
    workload = WORKLOADS[name]
    room = await furnish(side, workload)
    measured = await measure(side, workload, room, 2)
    assert measured.events == 2 * workload.events
    assert measured.contents == 2 * SENT[name]


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["history", "shared_history"])
async def test_a_long_history_is_sent_whole(side, name):
    workload = WORKLOADS[name]
    measured = await measure(side, workload, await furnish(side, workload), 2)
    assert measured.contents == (2000 + 1) + (2000 + 3)


@pytest.mark.anyio
async def test_the_tool_is_called_and_its_result_sent(side):
    workload, script = WORKLOADS["tool"], Script(side)
    service = side.InMemorySessionService()
    session = await service.create_session(app_name=APP, user_id=USER, state={"topic": "tides"})
    runner = side.Runner(app_name=APP, agent=workload.agent(side, script.model), session_service=service)
    script.answers = iter(workload.answers(side))
    message = side.types.Content(role="user", parts=[side.types.Part(text="Go.")])
    events = [event async for event in runner.run_async(user_id=USER, session_id=session.id, new_message=message)]
    assert [event.get_function_responses()[0].response for event in events[1:2]] == [{"place": "harbour", "metres": 1.5}]


@pytest.mark.anyio
async def test_a_script_that_is_not_used_up_is_noticed(side):
    workload = WORKLOADS["single"]
    too_long = type(workload)(
        title="too long", agent=workload.agent, answers=lambda side: workload.answers(side) * 2, events=1, repeat=1
    )
    with pytest.raises(AssertionError, match="all of its answers"):
        await measure(side, too_long, await furnish(side, too_long), 1)


@pytest.mark.anyio
async def test_a_store_holds_what_it_was_filled_with_and_what_was_appended(side, tmp_path):
    store = Store(side, tmp_path / "store.db")
    await store.fill(1500)
    await store.append(3)
    events = await store.events()
    assert len({event.id for event in events}) == 1503
    assert [event.content.parts[0].text[:2] for event in events[-3:]] == ["0:", "1:", "2:"]
    assert await store.read_last(50) > 0
    with pytest.raises(AssertionError, match="1503"):
        await store.read_last(2000)
    await store.close()


@pytest.mark.anyio
@pytest.mark.parametrize("pending", [False, True])
async def test_a_book_holds_what_it_was_filled_with_and_what_was_committed(side, tmp_path, pending):
    book = Book(side, tmp_path / "book.db")
    await book.fill(1000, pending=pending)
    before = await book.bullets()
    assert before == 1000 + (256 if pending else 0)
    await book.commit(3)
    assert await book.bullets() == before + 3
    assert await book.load() > 0
    await book.close()
    with PlaybookStore(tmp_path / "book.db", APP) as store:
        newest = store.history(limit=1)[0]
        assert [change["type"] for change in newest.applied] == ["TAG", "ADD"]
        assert newest.seq > 0
        with store._repository.reading() as playbooks:
            [snapshots] = playbooks.conn.execute("SELECT group_concat(revision) FROM playbook_snapshots").fetchall()
    assert snapshots == (("1,258" if pending else "1"),)  # after the filling, not one more delta fits in


def test_the_other_implementation_gets_the_same_deltas_and_saves_when_asked(tmp_path, monkeypatch):
    class Skillbook:
        def __init__(self):
            self.found, self.saved = [], 0

        def add_skill(self, section, content):
            self.found.append(content)
            return SimpleNamespace(id=f"{section}-{len(self.found)}")

        def apply_update(self, batch):
            tag, add = batch.operations
            assert (tag.type, tag.metadata, add.type) == ("TAG", {"helpful": 1}, "ADD")
            self.add_skill(add.section, add.content)

        def save_to_file(self, path):
            Path(path).write_text(str(len(self.found)))

        def skills(self):
            return self.found

    monkeypatch.setitem(sys.modules, "ace", ModuleType("ace"))
    monkeypatch.setitem(sys.modules, "ace.skillbook", SimpleNamespace(Skillbook=Skillbook))
    updates = SimpleNamespace(UpdateOperation=SimpleNamespace, UpdateBatch=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "ace.updates", updates)
    book = OtherBook(tmp_path / "other.json", 100)
    assert book.seconds_of_delta(5, save=False) > 0
    assert not (tmp_path / "other.json").exists()
    assert book.seconds_of_delta(2, save=True) > 0
    assert (tmp_path / "other.json").read_text() == "107"


STAND_IN = """
import openai, tiktoken
from dotenv import load_dotenv

load_dotenv()

def format_playbook_line(bullet_id, helpful, harmful, content):
    return f"[{bullet_id}] helpful={helpful} harmful={harmful} :: {content}"

def update_bullet_counts(text, tags):
    [tag] = tags
    line = next(line for line in text.splitlines() if line.startswith(f"[{tag['id']}]"))
    return text.replace(line, line.replace("helpful=0", "helpful=1"))

def apply_curator_operations(text, operations, next_id):
    [one] = operations
    print("Added one")
    added = format_playbook_line(f"x-{next_id:05d}", 0, 0, one["content"])
    return text.replace("## " + one["section"], "## " + one["section"] + chr(10) + added), next_id + 1
"""


def test_the_official_code_is_taken_from_a_checkout_and_gets_the_same_deltas(tmp_path, monkeypatch, capsys):
    for name in ("playbook_utils", "openai", "tiktoken", "dotenv"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "playbook_utils.py").write_text(STAND_IN)
    book = OfficialBook(tmp_path, tmp_path / "book.txt", 200)
    assert book.seconds_of_delta(5, save=False) > 0
    assert not (tmp_path / "book.txt").exists()
    assert book.seconds_of_delta(2, save=True) > 0
    lines = (tmp_path / "book.txt").read_text().splitlines()
    assert (len(lines), sum("helpful=1" in line for line in lines)) == (len(SECTIONS) + 207, 7)
    assert str(tmp_path) not in sys.path
    assert capsys.readouterr().out == ""
    for name in ("playbook_utils", "openai", "tiktoken", "dotenv"):
        sys.modules.pop(name, None)


def test_texts_differ_are_near_each_other_at_times_and_the_same_each_run():
    texts = sentences(2000)
    assert texts == sentences(2000)
    assert texts != sentences(2000, seed=8)
    assert len(set(texts)) > 1990
    assert (
        10 < len(duplicates(Playbook(StoredBullet(f"a-{n}", "s", text) for n, text in enumerate(texts, 1)), THRESHOLD)) < 60
    )


@pytest.mark.parametrize("job", sorted({job for job, _, _ in plan.VALUES.values()}))
def test_what_is_done_to_a_playbook_in_memory_is_done(job):
    assert seconds_of(job, 200, 2) > 0


@pytest.mark.anyio
async def test_writers_are_counted_with_what_is_left_of_theirs(side, tmp_path):
    done = await write_at_once(side, tmp_path / "book.db", writers=2, deltas=5)
    assert (done["acknowledged"], done["kept"], done["refused"]) == (10, 10, 0)


@pytest.mark.anyio
async def test_a_long_session_is_read_looked_at_and_forked(tmp_path):
    session = LongSession(tmp_path / "long.db", 40)
    assert all([await session.do(job) > 0 for job in plan.EXPERIMENTS])
    await session.close()
    with RunManager(database=tmp_path / "long.db") as manager:
        origin, fork = sorted(manager.sessions.summaries(PIPELINE), key=lambda found: found.created_at)
    assert (origin.events, fork.events, fork.origin) == (40, 40, origin.id)


@pytest.mark.anyio
async def test_many_sessions_are_searched(tmp_path):
    sessions = ManySessions(tmp_path / "many.db", 120)
    assert await sessions.search() > 0
    assert await sessions.search() > 0
    sessions.close()


def test_the_authors_of_a_history_take_turns(side):
    assert [event.author for event in history(side, 5, ("user", "writer"))] == ["user", "writer", "user", "writer", "user"]


def test_a_worker_answers_a_line_with_a_line_and_ends_with_its_input(tmp_path):
    asked = [{"do": "about", "with": {}}, {"do": "workload", "with": {"name": "single", "repeat": 3}}]
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.worker", "ours", str(tmp_path)],
        cwd=ROOT,
        input="".join(json.dumps(request) + "\n" for request in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    about, measured = map(json.loads, done.stdout.splitlines())
    assert about["version"]
    assert (measured["events"], measured["contents"]) == (3, 3)


class Side:
    """Answers as a worker would, from a table."""

    def __init__(self, name, seconds, extra_events=0, lost=0):
        self.name = name
        self.seconds = seconds
        self.extra_events = extra_events
        self.lost = lost

    def ask(self, what, /, **arguments):
        if what == "workload":
            events = WORKLOADS[arguments["name"]].events * arguments["repeat"] + self.extra_events
            return {"events": events, "contents": arguments["repeat"], "seconds": self.seconds * events}
        if what == "write_at_once":
            deltas = arguments["writers"] * arguments["deltas"]
            return {"seconds": self.seconds * deltas, "acknowledged": deltas, "kept": deltas - self.lost, "refused": 0}
        return self.seconds * (arguments["count"] if what in ("append", "commit") else arguments.get("times", 1))


def verdicts(ours, adk):
    samples = plan.take_samples(Side("ours", ours), Side("adk", adk), plan.QUICK)
    return {verdict.row.key: verdict for verdict in report.judge(plan.rows(plan.QUICK), samples)}


def test_a_tenth_passes_and_more_than_that_misses():
    assert all(verdict.kept in (True, None) for verdict in verdicts(0.00001, 0.000101).values())
    late = verdicts(0.00001, 0.000099)
    assert {key for key, verdict in late.items() if verdict.kept is False} == {*plan.JUDGED, "append_small"}
    assert late["single"].times == pytest.approx(9.9)


def test_what_has_a_budget_of_its_own_is_judged_by_itself():
    slow = verdicts(0.2, 100)
    assert {key for key, verdict in slow.items() if verdict.kept is False} == {
        *("read_last", "import_package", "commit_1000", "commit_large", "duplicates_of_one"),
        *("apply_1000", "apply_large", "moment", "search", "lab_sample"),
    }


def test_one_lost_commit_is_one_too_many():
    samples = plan.take_samples(Side("ours", 0.1, lost=1), Side("adk", 0.1, lost=30), plan.QUICK)
    verdicts = {verdict.row.key: verdict for verdict in report.judge(plan.rows(plan.QUICK), samples)}
    lost = verdicts["writers_lost"]
    assert (lost.ours.median, lost.adk.median, lost.times, lost.kept) == (pytest.approx(0.5), pytest.approx(75), None, False)
    [line] = [line for line in report.as_table([lost]) if line.startswith("commits lost")]
    assert " ".join(line.split()) == "commits lost by 4 processes at once, % 0.5 0.5 … 0.5 75 75 … 75 ≤ 0 % MISS"


def test_sides_that_do_not_do_the_same_are_not_compared():
    with pytest.raises(AssertionError, match="different numbers"):
        plan.take_samples(Side("ours", 0.1), Side("adk", 0.1, extra_events=1), plan.QUICK)


def test_the_table_shows_figures_budget_and_verdict():
    lines = list(report.as_table(list(verdicts(0.0001, 0.0005).values())))
    [line] = [line for line in lines if line.startswith("single invocation")]
    assert " ".join(line.split()) == "single invocation, µs 100 100 … 100 500 500 … 500 5.0× ≥ 10× better MISS"
    [rate] = [line for line in lines if line.startswith("appends after 1,000")]
    assert "10,000" in rate
    assert "2,000" in rate


@pytest.mark.anyio
async def test_a_lab_run_does_all_roles_and_leaves_nothing_behind(tmp_path):
    assert await lab_runs.seconds_of_sample(1) > 0
    assert await lab_runs.seconds_of_run(tmp_path, 64) > 0
    assert await lab_runs.growth_of_memory(tmp_path, 20) > 0
    assert list(tmp_path.iterdir()) == []
