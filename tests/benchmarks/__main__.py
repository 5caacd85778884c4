"""`python -m tests.benchmarks`: this project beside google-adk, as a table; fails where a budget is missed."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.plan import FULL, QUICK, rows, take_samples
from tests.benchmarks.processes import Process, WorkerError
from tests.benchmarks.report import as_json, as_table, judge


def main() -> int:
    """Measures, prints, and returns the exit code: 0 if all budgets are kept, 1 if not, 2 if it cannot measure."""
    options = _parser().parse_args()
    size = QUICK if options.quick else FULL
    started = time.perf_counter()
    print("Making an environment for google-adk …", file=sys.stderr)
    try:
        with (
            tempfile.TemporaryDirectory(dir=options.folder, prefix="benchmark-") as folder,
            Process("ours", Path(folder)) as ours,
            Process("adk", Path(folder)) as peer,
        ):
            versions = {side.name: side.ask("about")["version"] for side in (ours, peer)}
            samples = take_samples(ours, peer, size, official=options.ace)
    except WorkerError as error:
        print(error, file=sys.stderr)
        return 2
    verdicts = judge(rows(size, official=options.ace is not None), samples)
    about = {"versions": versions, "python": platform.python_version(), "cpus": os.cpu_count(), "rounds": size.rounds}
    print(
        f"Agent Playground {versions['ours']} beside google-adk {versions['adk']}: medians of {size.rounds} rounds, "
        f"Python {about['python']}, {about['cpus']} CPUs, {time.perf_counter() - started:.0f} s"
    )
    for line in as_table(verdicts):
        print(line)
    missed = [verdict.row.title for verdict in verdicts if verdict.kept is False]
    print(f"\n{'Missed: ' + '; '.join(missed) if missed else 'All budgets are kept'}.")
    if options.json:
        options.json.write_text(json.dumps(as_json(verdicts, samples, about), ensure_ascii=False, indent=1) + "\n")
    return 1 if missed else 0


def _checkout(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if not (folder / "playbook_utils.py").is_file():
        raise argparse.ArgumentTypeError(f"{text} is no checkout of github.com/ace-agent/ace: it has no playbook_utils.py")
    return folder


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and a smaller database: seconds, and rougher")
    parser.add_argument(
        "--ace",
        type=_checkout,
        metavar="FOLDER",
        help="also measure the official code of ACE: its checkout, see official_ace.py",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write figures and samples there")
    parser.add_argument("--folder", type=Path, help="where the databases go while it runs: the disk to measure")
    return parser


if __name__ == "__main__":
    sys.exit(main())
