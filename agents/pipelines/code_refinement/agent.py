"""The agents of code refinement: a writer, a loop of a checker and a refiner, and a last check."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from google.genai import types

from agents import BaseAgent, CallbackContext, Event, EventActions, InvocationContext, LlmAgent, LoopAgent, SequentialAgent
from agents.pipelines.code_refinement.checker import USUAL_BRANCHES, check, code_in, name_in
from agents.pipelines.code_refinement.finding import as_text

WRITER_INSTRUCTION = """\
You write one small function in Python for the request below. If the request brings code of its own, take that.

Answer with one fenced block of Python and nothing else.

<request>
{request}
</request>
"""

REFINER_INSTRUCTION = """\
You mend a piece of Python by what its checker found.

Mend the first 2 findings, and only what they name. Everything else stays as it is, and the code must do what was
requested. Answer with the whole code as one fenced block of Python and nothing else.

<code>
{code}
</code>

<findings>
{findings}
</findings>

<request>
{request}
</request>
"""


class CodeChecker(BaseAgent):
    """Checks the code in state without running it, and escalates when it finds nothing. Asks no model."""

    name: str = "CodeChecker"
    description: str = "Compiles the code and looks at its syntax tree; escalates when it finds nothing to mend."

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = ctx.session.state
        findings = check(
            code_in(str(state.get("code") or "")),
            wanted=name_in(str(state.get("request") or "")),
            most_branches=int(state.get("most_branches", USUAL_BRANCHES)),
        )
        told = as_text(findings)
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            branch=ctx.branch,
            content=types.Content(role="model", parts=[types.Part(text=told)]),
            actions=EventActions(escalate=not findings, state_delta={"findings": told, "passes": not findings}),
        )


def begin(callback_context: CallbackContext) -> None:
    """A new request starts without code."""
    callback_context.state["code"] = ""
    callback_context.state["findings"] = ""


writer = LlmAgent(
    name="CodeWriter",
    description="Writes the first version of the function.",
    include_contents="none",
    instruction=WRITER_INSTRUCTION,
    output_key="code",
)
refiner = LlmAgent(
    name="CodeRefiner",
    description="Mends what the checker found, two findings at a time.",
    include_contents="none",
    instruction=REFINER_INSTRUCTION,
    output_key="code",
)
refinement_loop = LoopAgent(
    name="RefinementLoop",
    description="Checker and refiner take turns until nothing is found.",
    sub_agents=[CodeChecker(), refiner],
    max_iterations=5,
)
root_agent = SequentialAgent(
    name="CodeRefinement",
    description="Writes a function and mends it until its checker finds nothing.",
    sub_agents=[writer, refinement_loop, CodeChecker(name="LastCheck", description="Says how the code stands in the end.")],
    before_agent_callback=begin,
)
