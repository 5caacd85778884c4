"""What a simulated model answers for the worker: it polls, then puts the tool's answer into a sentence."""

from __future__ import annotations

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.language.detect import answer_language, is_in_unread_script
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.model import Reply, SimulatedRequest

MOST_LETTERS = 80
_SAID = phrases_beside(__file__)


def work(request: SimulatedRequest) -> Reply | str:
    """Calls poll_job, or reports what it answered, in the language of the job's name."""
    results = request.tool_results("poll_job")
    if not results:
        return Reply(calls=[("poll_job", {})])
    result, job = results[-1].response or {}, request.section("Job")
    language = answer_language(job)
    if "error" in result:
        return _SAID.say(language, "unpolled", error=result["error"])
    status = str(result.get("status"))
    said = _SAID.say(
        language,
        status if status in ("queued", "running", "completed", "failed") else "other",
        poll=result.get("poll"),
        job=_SAID.say(language, "quoted", job=shortened(job, MOST_LETTERS)),
        status=status,
        progress=result.get("progress"),
        reason=_SAID.word(language, "reasons", str(result.get("reason") or _SAID.say(language, "no_reason"))),
    )
    return f"{said} {unread()}" if is_in_unread_script(job) else said


SIMULATION = {"PollingWorker": work}
