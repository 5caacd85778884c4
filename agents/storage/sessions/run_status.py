"""A session's run status, as the trace records of its runs say it; and the record of a run whose process died."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from agents.history.run_tree import RunTree, read
from agents.log import LogEntry, TraceRecord
from agents.records import ModelStarted, RunFinished, RunStarted
from agents.session_list import RunStatus

RUN_KINDS = frozenset({RunStarted.kind, RunFinished.kind})
"""The kinds of trace records that change the session's run status."""

RUN_COLUMN_KINDS = RUN_KINDS | {ModelStarted.kind}
"""The kinds that change a column of the session's last run."""


def status_after(record: TraceRecord) -> RunStatus | None:
    """The session's run status after a trace record, None if it does not change it."""
    if record.kind == RunStarted.kind:
        return "running"
    return record.data.get("status", "completed") if record.kind == RunFinished.kind else None


def last_run(record: TraceRecord) -> tuple[str, bool]:
    """The model of the run that a `run_started` record begins, "" for none, and whether it is simulated."""
    return str(record.data.get("model") or ""), bool(record.data.get("simulated"))


def interrupted(run: Sequence[LogEntry], ended_at: float) -> TraceRecord:
    """The `run_finished` record of a run whose process died.

    Args:
        run: See `_finished`.
        ended_at: When the session was last written to, in seconds since the epoch.
    """
    return _finished(
        run,
        ended_at,
        status="interrupted",
        error_code="INTERRUPTED",
        error_message="The process that ran this ended, or stood still too long, before the run did. All that it had "
        "appended is kept. Run it again from the last message.",
    )


STOPPED = {"status": "stopped"}
"""How a run ended that was stopped while an agent did not respond."""


def ended_run(run: Sequence[LogEntry], ending: Mapping[str, str]) -> TraceRecord:
    """The `run_finished` record of a run that was ended now, and how; for `run` see `_finished`."""
    return _finished(run, time.time(), **ending)


def _finished(run: Sequence[LogEntry], ended_at: float, **outcome: str) -> TraceRecord:
    """The `run_finished` record of a run that cannot write it itself.

    Args:
        run: The run's entries from its `run_started` on; kinds other than the model's may be left out. For a
            resumed run (`goes_on`), the `run_finished` of its pause comes first.
        ended_at: When it ended, in seconds since the epoch.
        **outcome: How it ended.
    """
    tree = RunTree()
    for entry in run:
        tree.take(entry.seq, read(entry))
    last = next(reversed(tree.runs.values()))
    assert last.started is not None
    spent = last.in_all
    data = {
        **outcome,
        "calls": spent.calls,
        "tokens": {"input": spent.sent, "output": spent.received},
        "duration": last.before.duration + max(0.0, ended_at - last.started.timestamp),
    }
    return TraceRecord(RunFinished.kind, last.invocation_id, last.started.agent, data=data)


def goes_on(run: Sequence[LogEntry]) -> bool:
    """Whether a run, given by its entries from `run_started` on, resumes after a pause."""
    started = run[0].of(RunStarted)
    return started is not None and started.resumed
