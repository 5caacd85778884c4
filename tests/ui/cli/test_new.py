"""`playground new`: packages that run here and in google-adk, and names that no package can have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.models.scripted import call
from agents.pipelines import Catalog
from agents.review import review_pipeline
from tests.agents.teams.beside_adk import texts_here, texts_in_adk
from tests.documents.blocks import ROOT
from ui.cli import main as cli
from ui.cli.authoring.new_command import PATTERNS, PLACEHOLDER, about

RUNS = {
    "agent": ("How many words?", {"assistant": [[call("count_words", text="a b")], "Two."]}),
    "sequence": ("Kyoto", {"planner": ["Walk."], "author": ["We walk."]}),
    "parallel": ("Sundays?", {"supporter": ["More guests."], "doubter": ["Tired staff."], "adviser": ["Try it."]}),
    "loop": ("a lamp", {"writer": ["A lamp.", "A red lamp."], "critic": ["Which colour?", [call("exit_loop")]]}),
    "transfer": ("order 1", {"front_desk": [[call("transfer_to_agent", agent_name="orders")]], "orders": ["On its way."]}),
    "hierarchy": (
        "tides",
        {
            "reporter": [[call("researcher", request="tides")], [call("checker", request="the moon")], "The moon."],
            "researcher": ["The moon pulls."],
            "checker": ["Right."],
        },
    ),
    "approval": ("20 back", {"cashier": [[call("refund", order="1", amount=20)]]}),
    "graph": ("a text of five words", {"title": ["Five"], "summary": ["It has five words."]}),
    "app": ("which day?", {"assistant": ["Monday."]}),
}
"""Pattern → a message and what its agents answer."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package of each pattern."""
    folder = tmp_path_factory.mktemp("new") / "mine"
    for pattern in PATTERNS:
        assert cli.main(["new", f"of_{pattern}", "--pattern", pattern, "--agents", str(folder)]) == 0
    return folder


def test_every_folder_of_a_pattern_is_listed(capsys):
    folder = ROOT / "ui" / "cli" / "authoring" / "patterns"
    assert {one.name for one in folder.iterdir() if one.is_dir()} == set(PATTERNS) == set(RUNS)
    assert cli.main(["new", "--list"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{pattern:<9}  {about(pattern)}" for pattern in PATTERNS]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_package_loads_and_its_review_finds_nothing(made, pattern):
    pipeline = Catalog(made).get(f"of_{pattern}")
    assert review_pipeline(pipeline) == []
    files = [path for path in (made / f"of_{pattern}").iterdir() if path.is_file()]
    assert {path.name for path in files} == {"README.md", "agent.py", f"test_of_{pattern}.py"}
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert not any(PLACEHOLDER in text for text in texts)
    assert all("from google.adk" in text or "agents" in text for text in texts)


def test_the_tests_of_the_packages_pass(made):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "mine"],
        cwd=made.parent, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PLAYGROUND_SIMULATED_SPEED": "0"},
    )  # fmt: skip
    assert f"{len(PATTERNS)} passed" in done.stdout, done.stdout


def test_the_packages_run_in_google_adk_as_they_run_here(made):
    catalog = Catalog(made)
    mine = [texts_here(catalog.get(f"of_{pattern}"), *run) for pattern, run in RUNS.items()]
    apps, found = texts_in_adk(made, [(f"of_{pattern}", *run) for pattern, run in RUNS.items()])
    assert set(apps) == {f"of_{pattern}" for pattern in PATTERNS}
    assert [(run["error"], run["left"]) for run in found] == [("", {})] * len(PATTERNS)
    assert [run["texts"] for run in found] == mine


def test_the_next_command_is_printed_and_nothing_is_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "trip_planner"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Open it: playground --agents trip_planner"
    before = {path: path.read_bytes() for path in (tmp_path / "trip_planner").iterdir()}
    assert cli.main(["new", "trip_planner", "--pattern", "loop"]) == 2
    assert "nothing is written over it" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "trip_planner").iterdir()} == before


def test_a_folder_that_cannot_be_written_keeps_no_half_of_a_package(tmp_path, monkeypatch, capsys):
    opened = Path.open

    def no_space(self: Path, mode: str = "r", **options: Any) -> Any:
        if mode == "x" and self.name == "agent.py":
            raise OSError(28, "No space left on device")
        return opened(self, mode, **options)

    monkeypatch.setattr(Path, "open", no_space)
    assert cli.main(["new", "trip_planner", "--agents", str(tmp_path)]) == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "proposal"),
    [
        ("旅行計画", "my_loop"),
        ("旅行 planner", "planner"),
        ("trip-planner", "trip_planner"),
        ("Réponse été", "reponse_ete"),
        ("../outside", "outside"),
        ("2nd_agent", "my_2nd_agent"),
        ("_hidden", "hidden"),
        ("class", "my_class"),
        ("user", "my_user"),
        ("iterative_writing", "my_iterative_writing"),
        ("json", "my_json"),
        ("streamlit", "my_streamlit"),
        ("", "my_loop"),
        ("a" * 61, "a" * 52),
    ],
)
def test_a_name_that_no_package_can_have_gets_a_proposal_that_works(name, proposal, tmp_path, capsys):
    folder = tmp_path / "mine"
    assert cli.main(["new", name, "--pattern", "loop", "--agents", str(folder)]) == 2
    assert f"Try {proposal}." in capsys.readouterr().err
    assert not folder.exists()
    assert cli.main(["new", proposal, "--pattern", "loop", "--agents", str(folder)]) == 0
    assert Catalog(folder).get(proposal).root_agent.name == "writing"
