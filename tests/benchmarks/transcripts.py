"""How fast a long session of a coding agent is imported, beside reading its lines as JSON alone, and in how much memory."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from agents.runs import RunManager
from agents.transcripts import import_folder
from tests.agents.transcripts.samples import Claude, text, thinking, tool_use

MEGA = 1_000_000
CODE = (Path(__file__).parents[2] / "agents" / "records.py").read_text(encoding="utf-8")


def write_session(path: Path, size: int) -> None:
    """Writes a session of about that many bytes: questions, thoughts, files that were read, commands."""
    session = Claude()
    with path.open("w", encoding="utf-8") as file:
        written = turn = 0
        while written < size:
            if turn % 40 == 0:
                session.user(f"Please look at part {turn} of the code and say what it does.")
            begin = (turn * 977) % (len(CODE) - 4000)
            given = {"file_path": f"/home/ada/shop/part_{turn}.py", "offset": turn, "limit": 80}
            session.answer(thinking(CODE[begin : begin + 300]), tool_use(f"toolu_{turn:020d}", "Read", given))
            read = CODE[begin : begin + 3000]
            file_read = {"type": "text", "file": {"filePath": given["file_path"], "content": read, "numLines": 80}}
            session.result(f"toolu_{turn:020d}", read, toolUseResult=file_read)
            session.answer(text(CODE[begin : begin + 400]))
            said = session.text()
            session.values.clear()
            file.write(said)
            written += len(said)
            turn += 1


def main(size: int = 100 * MEGA) -> None:
    """Prints megabytes a second, the ratio to `json.loads`, and the memory above that of an import of a tenth."""
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large.jsonl", Path(folder) / "small.jsonl"
        write_session(large, size)
        write_session(small, size // 10)
        with RunManager(database=Path(folder) / "bench.db") as manager:
            seconds_of(manager, small)
            before = peak()
            spent = time.process_time()
            took = seconds_of(manager, large)
            spent = time.process_time() - spent
            memory = peak() - before
        plain = loads_seconds(large)
        length = large.stat().st_size / MEGA
        print(f"{length:.0f} MB in {took:.1f} s: {length / took:.1f} MB/s, {took / plain:.1f} × json.loads of its lines")
        print(f"CPU time {spent:.1f} s: {length / spent:.1f} MB/s")
        print(f"memory above that of a tenth: {memory:.1f} MB")


def seconds_of(manager: RunManager, path: Path) -> float:
    began = time.perf_counter()
    (found,) = import_folder(manager, [path], below=path.parent)
    assert found.session_id, found.problem
    return time.perf_counter() - began


def loads_seconds(path: Path) -> float:
    began = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
    return time.perf_counter() - began


def peak() -> float:
    """Most memory that the process had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main(int(sys.argv[1]) * MEGA if len(sys.argv) > 1 else 100 * MEGA)
