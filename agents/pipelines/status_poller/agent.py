"""The agents of the status poller: a worker with a tool, and a checker that needs no model."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.genai import types

from agents import (
    BaseAgent,
    CallbackContext,
    Event,
    EventActions,
    InvocationContext,
    LlmAgent,
    LoopAgent,
    ToolContext,
    exit_loop,
)
from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.pipelines.status_poller.job import look_at

_SAID = phrases_beside(__file__, "simulation.toml")
ENDED = ("completed", "failed")

WORKER_INSTRUCTION = """\
You watch over a background job.

Call poll_job exactly once, then report in one sentence how the job stands: the poll's number, the status and the
progress; if it failed, why. Do not promise anything that the tool did not say. Answer in the language of the job's name.
If no job is named below, say so and call exit_loop.

Job: {job}
"""


def poll_job(tool_context: ToolContext) -> dict[str, Any]:
    """Asks how the job stands: status (queued, running, completed, failed), progress in percent, and why it failed."""
    state = tool_context.state
    poll = int(state.get("polls") or 0) + 1
    look = look_at(str(state.get("job") or ""), look=poll, seed=f"{state.get('seed')}")
    state["polls"] = poll
    state["job_status"] = look.status
    state["progress"] = look.progress
    reason = {"reason": look.reason} if look.reason else {}
    return {"poll": poll, "status": look.status, "progress": look.progress, **reason}


def begin(callback_context: CallbackContext) -> None:
    """A new message is a new job."""
    state = callback_context.state
    state["polls"] = 0
    state["job_status"] = "unknown"
    state["progress"] = 0


class CheckStatus(BaseAgent):
    """Ends the loop when the state says that the job has ended. Asks no model."""

    name: str = "CheckStatus"
    description: str = "Looks at job_status in state and escalates when the job has completed or failed."

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        status = ctx.session.state.get("job_status") or "unknown"
        has_ended = status in ENDED
        language = answer_language(str(ctx.session.state.get("job") or ""))
        shown = _SAID.word(language, "statuses", str(status))
        told = _SAID.say(language, "ended" if has_ended else "again", status=shown)
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            branch=ctx.branch,
            content=types.Content(role="model", parts=[types.Part(text=told)]),
            actions=EventActions(escalate=has_ended),
        )


worker = LlmAgent(
    name="PollingWorker",
    description="Polls the job and reports how it stands.",
    include_contents="none",
    instruction=WORKER_INSTRUCTION,
    tools=[poll_job, exit_loop],
    output_key="last_report",
)
root_agent = LoopAgent(
    name="StatusPoller",
    description="Polls a job until it has completed or failed.",
    sub_agents=[worker, CheckStatus()],
    max_iterations=8,
    before_agent_callback=begin,
)
