"""`playground lab`, from the description to the table."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Self

import pytest

from agents.errors import LabError
from agents.lab import Lab, Outcome, Parts, Progress, Said, Sample, Task, run_sample
from tests.forks import Fork
from ui.cli.lab.progress import _Line
from ui.cli.lab.report import width_of
from ui.cli.main import main

TEXT = """
name = "it"
data = { generate = "formulas", seed = 1, count = 8 }
[[arms]]
kind = "none"
[[arms]]
kind = "online"
[[arms]]
kind = "parallel"
workers = 8
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "it.toml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def lab(place: Path, *arguments: str) -> int:
    return main(["lab", *arguments, "--db", str(place / "play.db")])


def test_a_run_prints_accuracy_intervals_costs_and_differences(place: Path, capsys: pytest.CaptureFixture[str]):
    assert lab(place, "run", str(place / "it.toml")) == 0
    said = capsys.readouterr().out
    assert "it: finished; pipeline ace, model simulated, split train, seeds 0" in said
    assert said.splitlines()[2] == "Answers on the split train:"
    assert [line.split()[0] for line in said.splitlines()[4:7]] == ["none", "online", "parallel"]
    assert "online − none" in said
    assert "A simulated learner answered, in a closed world made for it" in said
    assert (place / "lab" / "it" / "run.db").exists()
    assert lab(place, "report", "it") == 0
    assert capsys.readouterr().out == said


def test_json_has_the_run_its_arms_and_the_differences(place: Path, capsys: pytest.CaptureFixture[str]):
    lab(place, "run", str(place / "it.toml"), "--json")
    rows = rows_of(capsys)
    assert [(row["type"], row.get("arm")) for row in rows] == [
        ("run", None),
        ("arm", "none"),
        ("arm", "online"),
        ("arm", "parallel"),
        ("difference", "online"),
        ("difference", "parallel"),
    ]
    assert rows[0]["simulated"] is True
    assert rows[2]["of"] == 8
    assert rows[2]["interval"][0] <= rows[2]["accuracy"] <= rows[2]["interval"][1]


def rows_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_runs_are_listed_and_compared(place: Path, capsys: pytest.CaptureFixture[str]):
    for _ in range(2):
        lab(place, "run", str(place / "it.toml"))
    capsys.readouterr()
    assert lab(place, "list") == 0
    assert [line.split()[:3] for line in capsys.readouterr().out.splitlines()] == [
        ["run", "status", "samples"],
        ["it", "finished", "24"],
        ["it-2", "finished", "24"],
    ]
    assert lab(place, "compare", "it", "it-2", "--json") == 0
    rows = rows_of(capsys)
    assert [row["arm"] for row in rows if row["type"] == "difference"] == ["it: none", "it: online", "it: parallel"]
    assert {row["p"] for row in rows if row["type"] == "difference"} == {1.0}


def test_a_report_says_why_samples_failed(place: Path, capsys: pytest.CaptureFixture[str]):
    async def fail(task: Task) -> Outcome:
        return Outcome(sample=task.sample.id, error="The model\nis away.")

    asyncio.run(Lab(place / "lab").begin(TEXT, parts=Parts(execute=fail)).run()).close()
    assert lab(place, "report", "it") == 0
    assert "none: 8 failed. The first is sample 1: The model is away." in capsys.readouterr().out


def test_columns_stand_below_each_other_with_wide_names(place: Path, capsys: pytest.CaptureFixture[str]):
    (place / "it.toml").write_text(TEXT.replace('"it"', '"質問"').replace("count = 8", "count = 1"), encoding="utf-8")
    lab(place, "run", str(place / "it.toml"))
    capsys.readouterr()
    lab(place, "list")
    head, row = capsys.readouterr().out.splitlines()
    assert head.index("status") == row.index("finished") + len("質問")  # each takes two columns


def test_without_runs_it_says_how_to_begin_one(place: Path, capsys: pytest.CaptureFixture[str]):
    assert lab(place, "list") == 0
    assert "No lab runs in" in capsys.readouterr().out
    assert lab(place, "report", "it") == 2
    assert "There is no lab run 'it'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT + "batch = 2\n", "line 11, arms.3.batch: there is no such field"),
        (TEXT.replace('"formulas"', '"nope"'), "This is no specification of a data set"),
        (TEXT.replace("name", "pipeline = 'nope'\nname"), "nope"),
        (TEXT.replace('{ generate = "formulas", seed = 1, count = 8 }', '"none.jsonl"'), "none.jsonl"),
    ],
)
def test_a_description_that_is_wrong_begins_nothing(place: Path, capsys: pytest.CaptureFixture[str], text: str, told: str):
    (place / "it.toml").write_text(text, encoding="utf-8")
    assert lab(place, "run", str(place / "it.toml")) == 2
    assert told in capsys.readouterr().err
    assert not (place / "lab").exists()


def test_a_report_is_written_as_a_page_and_never_over_another_file(place: Path, capsys: pytest.CaptureFixture[str]):
    lab(place, "run", str(place / "it.toml"))
    page = place / "it.html"
    capsys.readouterr()
    assert lab(place, "report", "it", "--html", str(page)) == 0
    assert capsys.readouterr() == ("", f"Wrote {page}.\n")
    assert "<h1>it " in page.read_text(encoding="utf-8")
    page.write_text("mine", encoding="utf-8")
    assert lab(place, "report", "it", "--html", str(page)) == 2
    assert "is not overwritten" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8") == "mine"
    assert lab(place, "report", "it", "--html", str(place / "none" / "it.html")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_lines_that_are_no_samples_are_named_wherever_a_run_is_reported(place: Path, capsys: pytest.CaptureFixture[str]):
    row = '{"question": "What is 1 + 1?", "answer": "2"}'
    (place / "rows.jsonl").write_text(f"{row}\n{{<b>\n{row}\n", encoding="utf-8")
    text = TEXT.replace('{ generate = "formulas", seed = 1, count = 8 }', '{ file = "rows.jsonl" }')
    (place / "it.toml").write_text(text, encoding="utf-8")
    assert lab(place, "run", str(place / "it.toml")) == 0
    told = "2 lines of the data are no samples and were skipped: 1 malformed, 1 duplicate."
    said = capsys.readouterr().out
    assert told in said
    assert "  rows.jsonl, line 2: " in said
    lab(place, "report", "it", "--json")
    assert rows_of(capsys)[0]["skipped"] == {"malformed": 1, "duplicate": 1}
    lab(place, "report", "it", "--html", str(place / "it.html"))
    page = (place / "it.html").read_text(encoding="utf-8")
    assert told in page
    assert "rows.jsonl, line 3: " in page


def test_a_run_is_exported_into_a_new_folder(place: Path, capsys: pytest.CaptureFixture[str]):
    lab(place, "run", str(place / "it.toml"))
    capsys.readouterr()
    assert lab(place, "export", "it", str(place / "out")) == 0
    assert capsys.readouterr() == ("", f"Wrote {place / 'out'}.\n")
    names = {found.name for found in (place / "out").iterdir()}
    assert names == {"run.toml", "results.jsonl", "summary.json", "playbooks"}
    assert lab(place, "export", "it", str(place / "out")) == 2
    assert "exists already" in capsys.readouterr().err
    assert lab(place, "export", "other", str(place / "new")) == 2
    assert "There is no lab run 'other'" in capsys.readouterr().err


def test_a_run_on_a_cluster_that_is_not_there_begins_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("agents.lab.work.cluster.executor.find_spec", lambda name: None)
    assert lab(place, "run", str(place / "it.toml"), "--ray", "auto") == 2
    assert "`uv run --extra ray playground`" in capsys.readouterr().err
    assert not (place / "lab").exists()


def test_a_cluster_works_on_the_samples_of_a_run_and_of_a_resumed_one(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    worked: list[str] = []

    class Cluster:
        def __init__(self, address: str) -> None:
            self.address = address

        async def __aenter__(self) -> Self:
            return self

        async def __aexit__(self, *_: object) -> None:
            pass

        async def __call__(self, task: Task) -> Outcome:
            worked.append(self.address)
            if len(worked) == 10:
                raise LabError("The Ray cluster is gone.")
            return await run_sample(task)

    monkeypatch.setattr("ui.cli.lab.progress.RayExecutor", Cluster)
    assert lab(place, "run", str(place / "it.toml"), "--ray", "one:6379") == 2
    assert "The Ray cluster is gone." in capsys.readouterr().err
    assert lab(place, "resume", "it", "--ray", "two:6379") == 0
    assert "failed. The first is" not in capsys.readouterr().out
    assert (worked.count("one:6379"), worked.count("two:6379")) == (10, 24 - 9)


def test_ctrl_c_stops_a_run_and_resume_ends_it(place: Path, capsys: pytest.CaptureFixture[str]):
    (place / "it.toml").write_text(TEXT.replace("count = 8", "count = 4000"), encoding="utf-8")
    process = Fork(["-m", "ui.cli", "lab", "run", str(place / "it.toml"), "--db", str(place / "play.db")], cwd=place)
    runs = Lab(place / "lab")
    while not any(one.samples for one in runs.runs()):
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    said, told = process.communicate()
    assert (process.returncode, "it: not finished" in said) == (1, True)
    assert "Stopping. It waits for the answer to “" in told or "Stopping. It ends after the samples" in told
    assert "Ctrl-C again ends at once" in told
    assert "\r" not in told, "no line with the progress where there is no terminal"
    assert "Go on with: playground lab resume it" in told
    lab(place, "list", "--json")
    assert rows_of(capsys)[0]["status"] == "running"


class Screen(io.StringIO):
    """A terminal of fifty columns."""

    def isatty(self) -> bool:
        return True


def screen_of(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Where a test writes from now on; a fixture would be overruled by the capture of the test's output."""
    found = Screen()
    monkeypatch.setattr(sys, "stderr", found)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((50, 20)))
    monkeypatch.setattr("ui.cli.lab.progress.monotonic", itertools.count(1).__next__)
    return found


SAMPLE = Sample(id="1", question="What is\nthe return period?", truth="30 days")


def test_what_a_model_says_is_one_line_that_ends_with_its_newest_words(monkeypatch: pytest.MonkeyPatch):
    screen = screen_of(monkeypatch)
    line = _Line()
    line.name = "it"
    line.hear(Said(SAMPLE))
    for text in ("It is \x1b[31m thirty days, which is ", "三十日間です。" * 4, "END"):
        line.hear(Said(SAMPLE, "Generator", text))
    shown = screen.getvalue()
    *_, last = shown.split("\r")
    assert last.startswith("it: the first sample · Generator: ")
    assert last.endswith("END")
    assert all(width_of(one.rstrip()) < 50 for one in shown.split("\r"))
    assert not {"\n", "\x1b"} & set(shown)


def test_ctrl_c_says_which_answers_are_awaited(monkeypatch: pytest.MonkeyPatch):
    screen_of(monkeypatch)
    line = _Line()
    assert line.awaited() == "It ends after the samples that are being worked on."
    line.hear(Said(SAMPLE))
    assert line.awaited().startswith("It waits for the answer to “What is")
    line.hear(Said(SAMPLE, "ReflectorModel", "thirty"))
    line.hear(Said(SAMPLE, "ReflectorModel", " days"))
    assert line.awaited().endswith("return period?” (ReflectorModel has said 11 characters).")
    line(Progress(done=1, total=4, arm="online", seed=1, seconds_left=None))
    assert "the samples that are being worked on" in line.awaited()


def test_a_second_ctrl_c_ends_a_run_at_once(place: Path):
    """Its model never answers."""
    package = place / "agents" / "waiter"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "agent.py").write_text(WAITS, encoding="utf-8")
    (place / "it.toml").write_text(WAITED_FOR, encoding="utf-8")
    command = ["-m", "ui.cli", "lab", "run", str(place / "it.toml"), "--db", str(place / "play.db")]
    process = Fork([*command, "--agents", str(place / "agents")], cwd=place)
    assert "asked" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert "It waits for the answer to “" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130


WAITS = """
import asyncio, sys
from agents import BaseAgent

class Waiter(BaseAgent):
    async def _run_async_impl(self, ctx):
        print("asked", file=sys.stderr, flush=True)
        await asyncio.Event().wait()
        yield

root_agent = Waiter(name="Waiter")
"""
WAITED_FOR = """
name = "it"
pipeline = "waiter"
data = { generate = "formulas", seed = 1, count = 4 }
[[arms]]
kind = "none"
"""
