"""The agents of a cycle with a model: generator, reflector and curator, and when each is skipped.

`submission` has the agents that submit what they say; `cycle` puts them all in order.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from google.genai import types

from agents.ace.roles.feedback import NO_FEEDBACK
from agents.ace.roles.instructions import (
    ANSWER_KEY,
    CURATION_KEY,
    FEEDBACK_KEY,
    JUDGED_KEY,
    QUERY_KEY,
    REFLECTION_KEY,
    SECOND_KEY,
    instruction_for,
)
from agents.ace.roles.schemas import CuratorOutput, GeneratorOutput, ReflectorOutput, role_output
from agents.ace.roles.settings import AceSettings
from agents.agent import BaseAgent
from agents.errors import OutputSchemaError, ProviderError
from agents.event import Event, EventActions
from agents.llm.llm_agent import LlmAgent
from agents.model import BaseLlm, LlmRequest
from agents.models.connections import redact
from agents.runtime.context import CallbackContext, InvocationContext


class LearningAgent(LlmAgent):
    """An agent whose model may fail without ending the run: then nothing is learned, and the answer stands."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        try:
            async with aclosing(super()._run_async_impl(ctx)) as events:
                async for event in events:
                    yield event
        except (OutputSchemaError, ProviderError) as error:
            failure = redact(str(error))
        else:
            return
        yield said(self, f"Left out, and the answer stands: {failure}")


def said(agent: BaseAgent, text: str, delta: dict[str, Any] | None = None) -> Event:
    """An event with an agent's text and a state delta."""
    content = types.Content(role="model", parts=[types.Part(text=text)])
    return Event(author=agent.name, content=content, actions=EventActions(state_delta=delta or {}))


def generator(settings: AceSettings, model: str | BaseLlm) -> LlmAgent:
    """Answers a question with the bullets that it is given; skipped if a verdict is learned from."""
    return LlmAgent(
        name="Generator",
        description="Answers the question with the playbook, and says which bullets it used.",
        model=model,
        instruction=instruction_for("generator", settings),
        include_contents="none",
        output_schema=GeneratorOutput,
        output_key=ANSWER_KEY,
        before_agent_callback=_answered_already,
        before_model_callback=_asked("Answer with JSON, as your instruction says.", about=QUERY_KEY),
    )


def generator_again(settings: AceSettings, model: str | BaseLlm) -> LearningAgent:
    """Answers the question once more, with a delta that is not kept yet."""
    return LearningAgent(
        name="GeneratorAgain",
        description="Answers the question again, with the delta that it led to.",
        model=model,
        instruction=instruction_for("generator", settings),
        include_contents="none",
        output_schema=GeneratorOutput,
        output_key=SECOND_KEY,
        before_model_callback=_asked("Answer with JSON, as your instruction says.", about=QUERY_KEY),
    )


def reflector_model(settings: AceSettings, model: str | BaseLlm) -> LearningAgent:
    """Finds the error in an answer, its cause, and the bullets that helped."""
    return LearningAgent(
        name="ReflectorModel",
        description="Compares the answer with the feedback: what went wrong, why, and which bullets helped.",
        model=model,
        instruction=instruction_for("reflector", settings),
        include_contents="none",
        output_schema=ReflectorOutput,
        output_key=REFLECTION_KEY,
        before_model_callback=_asked("Reflect on this answer, and answer with JSON, as your instruction says."),
    )


def curator_model(settings: AceSettings, model: str | BaseLlm) -> LearningAgent:
    """Turns a reflection into operations on the playbook."""
    return LearningAgent(
        name="CuratorModel",
        description="Proposes small changes of the playbook, or none.",
        model=model,
        instruction=instruction_for("curator", settings),
        include_contents="none",
        output_schema=CuratorOutput,
        output_key=CURATION_KEY,
        before_model_callback=_asked(
            "Decide what is to change in the playbook, and answer with JSON, as your instruction says."
        ),
    )


def _asked(task: str, *, about: str | None = None) -> Callable[..., None]:
    """A callback that gives a role its task.

    Otherwise its turn begins with the text of the agent before it, which a small model takes for the question.

    Args:
        task: The task; its details are in the instruction.
        about: State key of a text to put before the task.
    """

    def callback(callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        text = f"{callback_context.state[about]}\n\n{task}" if about else task
        asked = types.Content(role="user", parts=[types.Part(text=text)])
        llm_request.contents = [asked, *llm_request.contents[1:]]

    return callback


def _answered_already(callback_context: CallbackContext) -> types.Content | None:
    if not callback_context.state.get(JUDGED_KEY):
        return None
    return _skipped("The answer is there already, and feedback on it has come.")


def nothing_to_reflect_on(settings: AceSettings) -> Any:
    """A callback that skips the reflector if there is no answer, or if the user is to judge it first."""

    def callback(callback_context: CallbackContext) -> types.Content | None:
        state = callback_context.state
        if role_output(state.get(ANSWER_KEY), GeneratorOutput) is None:
            return _skipped("There is no answer to reflect on, so nothing is learned.")
        chosen = AceSettings.from_state(state, settings)
        if chosen.feedback_from == "person" and not state.get(JUDGED_KEY):
            return _skipped("Nothing is learned yet: feedback is to come from the user, with a thumb up or down.")
        if chosen.feedback_from == "execution" and state.get(FEEDBACK_KEY, NO_FEEDBACK) == NO_FEEDBACK:
            return _skipped("Nothing is learned yet: feedback is to come from running something; enter its outcome.")
        return None

    return callback


def nothing_to_curate(callback_context: CallbackContext) -> types.Content | None:
    """A callback that skips the curator if there is no reflection."""
    if role_output(callback_context.state.get(REFLECTION_KEY), ReflectorOutput) is not None:
        return None
    return _skipped("There is no reflection, so the playbook stays as it is.")


def _skipped(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])
