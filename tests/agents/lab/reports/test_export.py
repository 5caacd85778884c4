"""A run as a folder: all of it, under safe names, and never over something that is there."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from agents.ace import Playbook
from agents.errors import LabError
from agents.lab import Lab, export_run
from tests.agents.lab.reports.test_report_page import HOSTILE, Hostile, answering
from tests.agents.lab.stage import ByAgent, Drawn, description, finished, parts

pytestmark = pytest.mark.anyio

ARMS = """
[[arms]]
kind = "none"
name = "A"
[[arms]]
kind = "online"
name = "a"
[[arms]]
kind = "offline"
name = "CON .., (x=1) 学習 ."
epochs = 1
"""


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()]


async def test_a_folder_has_all_of_a_run(tmp_path: Path):
    text = description(ARMS, seeds=[0, 7])
    run = await finished(tmp_path / "lab", text, data=Drawn(12))
    folder = tmp_path / "new" / "out"
    export_run(Lab(tmp_path / "lab"), "run", folder)

    assert (folder / "run.toml").read_text(encoding="utf-8") == text
    expected = [
        {"arm": one.arm, "seed": one.seed, **asdict(result)}
        for one in run.standings()
        for result in run.results(one.arm, one.seed)
    ]
    assert lines(folder) == json.loads(json.dumps(expected))
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert [(one["arm"], one["right"], one["of"]) for one in summary["arms"]] == [
        (one.arm, one.right, one.of) for one in run.summaries()
    ]
    assert [(one["arm"], one["other"]) for one in summary["differences"]] == [("a", "A")]
    assert len(summary["playbooks"]) == 6
    for one in summary["playbooks"]:
        store, standing = run.playbook(one["arm"], one["seed"]), run.standing(one["arm"], one["seed"])
        wanted = store.playbook() if standing.best is None else store.at(standing.best[0])
        assert Playbook.from_json((folder / one["json"]).read_text(encoding="utf-8")) == wanted
        assert (folder / one["text"]).read_text(encoding="utf-8") == wanted.to_text()


async def test_names_of_files_are_safe_and_differ_without_case(tmp_path: Path):
    await finished(tmp_path / "lab", description(ARMS), data=Drawn(3), model=ByAgent())
    export_run(Lab(tmp_path / "lab"), "run", tmp_path / "out")
    names = sorted(path.stem for path in (tmp_path / "out" / "playbooks").glob("*.txt"))
    assert names == ["01-A-seed-0", "02-a-seed-0", "03-CON______x_1__学習__-seed-0"]


async def test_a_long_name_of_an_arm_fits_a_file_system(tmp_path: Path):
    text = description(f'[[arms]]\nkind = "none"\nname = "{"𠀀" * 60}"\n')
    await finished(tmp_path / "lab", text, data=Drawn(1), model=ByAgent())
    export_run(Lab(tmp_path / "lab"), "run", tmp_path / "out")
    assert max(len(path.name.encode()) for path in (tmp_path / "out" / "playbooks").iterdir()) < 255


async def test_each_result_is_one_line_whatever_is_in_it(tmp_path: Path):
    hostile = [*HOSTILE[:-1], "one\u2028two\u2029three\x85four\nfive"]
    run = await finished(
        tmp_path / "lab", description('[[arms]]\nkind = "none"\n'), data=Hostile(), model=answering(*hostile)
    )
    export_run(Lab(tmp_path / "lab"), "run", tmp_path / "out")
    found = lines(tmp_path / "out")
    assert [one["answer"] for one in found] == [one.answer for one in run.results("none", 0)]
    assert found[-1]["answer"] == hostile[-1]


@pytest.mark.parametrize("kind", ["folder", "file"])
async def test_what_is_there_stays_as_it_is(tmp_path: Path, kind: str):
    await finished(tmp_path / "lab", description(ARMS), data=Drawn(1), model=ByAgent())
    out = tmp_path / "out"
    if kind == "folder":
        out.mkdir()
    else:
        out.write_text("mine", encoding="utf-8")
    with pytest.raises(LabError, match="exists already"):
        export_run(Lab(tmp_path / "lab"), "run", out)
    assert list(out.iterdir()) == [] if kind == "folder" else out.read_text(encoding="utf-8") == "mine"


async def test_a_folder_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await finished(tmp_path / "lab", description(ARMS), data=Drawn(1), model=ByAgent())

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("agents.lab.reports.export._write_playbook", full)
    with pytest.raises(LabError, match="No space left on device"):
        export_run(Lab(tmp_path / "lab"), "run", tmp_path / "out")
    assert not (tmp_path / "out").exists()


async def test_a_name_that_is_no_path_is_refused(tmp_path: Path):
    Lab(tmp_path / "lab").begin(description(ARMS), parts=parts())
    for name in ("a\0b", "x" * 300):
        with pytest.raises(LabError, match="cannot be written"):
            export_run(Lab(tmp_path / "lab"), "run", tmp_path / name)


async def test_a_run_that_does_not_exist_makes_no_folder(tmp_path: Path):
    with pytest.raises(LabError, match="There is no lab run"):
        export_run(Lab(tmp_path / "lab"), "run", tmp_path / "out")
    assert not (tmp_path / "out").exists()


async def test_a_run_without_results_and_one_that_goes_on_are_exported(tmp_path: Path):
    lab = Lab(tmp_path / "lab")
    active = lab.begin(description(ARMS), parts=parts(data=Drawn(3)))
    export_run(lab, "run", tmp_path / "before")
    assert lines(tmp_path / "before") == []
    folders = iter([tmp_path / "while"])

    def tell(_: object) -> None:
        if (folder := next(folders, None)) is not None:
            export_run(lab, "run", folder)

    await active.run(tell)
    assert 0 < len(lines(tmp_path / "while")) < 15
    assert json.loads((tmp_path / "while" / "summary.json").read_text(encoding="utf-8"))["status"] == "running"
