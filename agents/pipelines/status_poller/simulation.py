"""What a simulated model answers for the worker: it polls, then puts the tool's answer into a sentence."""

from __future__ import annotations

from agents.models.simulated import Reply, SimulatedRequest

MOST_LETTERS = 80


def work(request: SimulatedRequest) -> Reply | str:
    """Calls poll_job, or reports what it answered."""
    results = request.tool_results("poll_job")
    if not results:
        return Reply(calls=[("poll_job", {})])
    result = results[-1].response or {}
    if "error" in result:
        return f"The job could not be polled: {result['error']}"
    job = _short(request.section("Job"))
    said = f"Poll {result.get('poll')}: {job}"
    match result.get("status"):
        case "queued":
            return f"{said} is waiting in the queue."
        case "completed":
            return f"{said} is done, {result.get('progress')} %."
        case "failed":
            return f"{said} failed at {result.get('progress')} %: {result.get('reason', 'no reason given')}."
        case status:
            return f"{said} is {status}, {result.get('progress')} % done."


def _short(job: str) -> str:
    line = " ".join(job.split())
    return f"“{line if len(line) <= MOST_LETTERS else line[: MOST_LETTERS - 1].rstrip() + '…'}”"


SIMULATION = {"PollingWorker": work}
