"""A run as a folder: its description, results as JSON lines, the playbook of each arm and seed, and a summary."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.ace.playbook import Playbook
from agents.errors import LabError
from agents.lab.lab import Lab
from agents.lab.reports.rows import report_rows
from agents.lab.results.lab_run import LabRun
from agents.storage.lab.result import Standing

RUN_FILE, RESULTS, SUMMARY, PLAYBOOKS = "run.toml", "results.jsonl", "summary.json", "playbooks"
_LONGEST = 40
"""Characters of an arm's name in a file's name: at most 160 bytes, and file systems allow 255."""
_LINE_BREAKS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
"""Characters that JSON allows in a text, and that some readers of lines take for the end of one."""


def export_run(lab: Lab, name: str, folder: Path) -> None:
    """Writes a run into a new folder.

    `run.toml` is the description as it was given. `results.jsonl` has an object for each result, with arm and seed.
    `playbooks/` has the playbook of each arm and seed in the official text format and as JSON, which loses nothing.
    `summary.json` has the arms with intervals, their differences, and the files of the playbooks. Of a run
    that goes on, results that are stored meanwhile may be in one file and not in another.

    Args:
        lab: Where the run is.
        name: The run.
        folder: A folder that does not exist yet; its parents are made.

    Raises:
        LabError: There is no such run, the folder exists, or it cannot be written.
    """
    with lab.open(name) as run:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise LabError(f"{str(folder)!r} exists already. Name a folder that does not exist yet.") from None
        except (OSError, ValueError) as error:
            raise _not_written(folder, error) from None
        try:
            _write_all(run, lab.text(name), folder)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise _not_written(folder, error) from None
        except BaseException:  # half a folder would be taken for a run
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _not_written(folder: Path, error: Exception) -> LabError:
    why = getattr(error, "strerror", None) or str(error)
    return LabError(f"The folder {str(folder)!r} cannot be written: {why}. Choose another one.")


def _write_all(run: LabRun, text: str, folder: Path) -> None:
    _write(folder / RUN_FILE, text)
    with (folder / RESULTS).open("x", encoding="utf-8", errors="replace", newline="\n") as file:
        for row in _results(run):
            file.write(json.dumps(row, ensure_ascii=False).translate(_LINE_BREAKS) + "\n")
    (folder / PLAYBOOKS).mkdir()
    playbooks = [_write_playbook(run, standing, folder) for standing in run.standings()]
    summary = {**_summary(run), "playbooks": playbooks}
    _write(folder / SUMMARY, json.dumps(summary, ensure_ascii=False, indent=2) + "\n")


def _results(run: LabRun) -> Iterator[dict[str, Any]]:
    for standing in run.standings():
        for result in run.results(standing.arm, standing.seed):
            yield {"arm": standing.arm, "seed": standing.seed, **asdict(result)}


def _summary(run: LabRun) -> dict[str, Any]:
    head, *rest = report_rows(run)
    of = {"arm": "arms", "difference": "differences"}
    found: dict[str, Any] = {**head, "arms": [], "differences": []}
    for row in rest:
        found[of[row["type"]]].append(row)
    return found


def _write_playbook(run: LabRun, standing: Standing, folder: Path) -> dict[str, Any]:
    """Writes the playbook that an arm and seed is measured by: the best one of a validation, or else the newest."""
    store = run.playbook(standing.arm, standing.seed)
    playbook: Playbook = store.playbook() if standing.best is None else store.at(standing.best[0])
    stem = f"{PLAYBOOKS}/{_file_name(run, standing)}"
    _write(folder / f"{stem}.txt", playbook.to_text())
    _write(folder / f"{stem}.json", playbook.to_json() + "\n")
    return {
        "arm": standing.arm,
        "seed": standing.seed,
        "revision": playbook.revision,
        "bullets": len(playbook),
        "text": f"{stem}.txt",
        "json": f"{stem}.json",
    }


def _file_name(run: LabRun, standing: Standing) -> str:
    """A name that every file system takes: the arm's place in front keeps names apart, and is no reserved word."""
    place = 1 + [arm.title for arm in run.description.arms].index(standing.arm)
    letters = unicodedata.normalize("NFC", standing.arm)[:_LONGEST]
    arm = "".join(letter if letter.isalnum() else "_" for letter in letters)
    return f"{place:02}-{arm}-seed-{standing.seed}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
