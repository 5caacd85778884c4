"""What a simulated model answers for the worker: it polls, then puts the tool's answer into a sentence."""

from __future__ import annotations

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.model import Reply, SimulatedRequest
from agents.models.simulated.reading.forms import forms_beside

MOST_LETTERS = 80
_FORMS = forms_beside(__file__)
_SAID = phrases_beside(__file__, "simulation.toml")


def work(request: SimulatedRequest) -> Reply | str:
    """Calls poll_job, or reports what it answered, in the language of the job; where none is named, ends the loop."""
    job = request.section("Job")
    if _FORMS.read(job) is None:
        return _FORMS.refusal(job, calls=[("exit_loop", {})])
    if (result := request.last_answer("poll_job")) is None:
        return Reply(calls=[("poll_job", {})])
    language = answer_language(job)
    if "error" in result:
        return _SAID.say(language, "unpolled", error=result["error"])
    status = str(result.get("status"))
    return _SAID.say(
        language,
        status if status in ("queued", "running", "completed", "failed") else "other",
        poll=result.get("poll"),
        job=_SAID.say(language, "quoted", job=shortened(job, MOST_LETTERS)),
        status=status,
        progress=result.get("progress"),
        reason=_SAID.word(language, "reasons", str(result.get("reason") or _SAID.say(language, "no_reason"))),
    )


SIMULATION = {"PollingWorker": work}
