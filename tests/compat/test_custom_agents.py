"""Agents of one's own, as ADK's documentation writes them: a checker, and an orchestrator with agents in its fields."""

from __future__ import annotations

import logging
from typing import AsyncGenerator  # noqa: UP035  the spelling of the documentation

import pytest
from google.genai import types
from pydantic import BaseModel, Field

from agents import (
    BaseAgent,
    Event,
    EventActions,
    InMemoryRunner,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LoopAgent,
    Runner,
    SequentialAgent,
)
from agents.models.scripted import ScriptedLlm

logger = logging.getLogger(__name__)
GO = types.Content(role="user", parts=[types.Part(text="go")])

# -- a checker in a loop


class CheckStatusAndEscalate(BaseAgent):
    """Ends the loop once the state says so."""

    name: str = "StatusChecker"
    wanted: str = "done"
    checks: int = Field(default=0, description="Never changed: an agent is not mutated by a run.")

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        status = ctx.session.state.get("status", "pending")
        yield Event(author=self.name, actions=EventActions(escalate=(status == self.wanted)))


class Worker(BaseAgent):
    name: str = "Worker"
    rounds: int

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        count = ctx.session.state.get("count", 0) + 1
        status = "done" if count >= self.rounds else "pending"
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            content=types.Content(role="model", parts=[types.Part(text=f"round {count}")]),
            actions=EventActions(state_delta={"count": count, "status": status}),
        )


@pytest.mark.anyio
@pytest.mark.parametrize(("rounds", "limit", "expected"), [(3, 10, 3), (9, 4, 4)])
async def test_a_custom_checker_ends_the_loop(rounds, limit, expected):
    poller = LoopAgent(name="Poller", max_iterations=limit, sub_agents=[Worker(rounds=rounds), CheckStatusAndEscalate()])
    runner = InMemoryRunner(agent=poller, app_name="poller")
    session = await runner.session_service.create_session(app_name="poller", user_id="u")
    events = [e async for e in runner.run_async(user_id="u", session_id=session.id, new_message=GO)]
    assert [(e.author, e.actions.escalate) for e in events] == [
        pair for number in range(1, expected + 1) for pair in (("Worker", None), ("StatusChecker", number == rounds))
    ]
    stored = await runner.session_service.get_session(app_name="poller", user_id="u", session_id=session.id)
    assert stored is not None
    assert stored.state["count"] == expected


# -- an orchestrator


class StoryAgent(BaseAgent):
    """Writes, refines in a loop, checks the tone, and writes anew when the tone is wrong."""

    writer: LlmAgent
    critic: LlmAgent
    reviser: LlmAgent
    tone: LlmAgent
    loop_agent: LoopAgent
    checks: SequentialAgent

    model_config = {"arbitrary_types_allowed": True}  # noqa: RUF012  the spelling of the documentation

    def __init__(self, name: str, writer: LlmAgent, critic: LlmAgent, reviser: LlmAgent, grammar: LlmAgent, tone: LlmAgent):
        loop_agent = LoopAgent(name="CriticReviserLoop", sub_agents=[critic, reviser], max_iterations=2)
        checks = SequentialAgent(name="Checks", sub_agents=[grammar, tone])
        super().__init__(
            name=name,
            writer=writer,
            critic=critic,
            reviser=reviser,
            tone=tone,
            loop_agent=loop_agent,
            checks=checks,
            sub_agents=[writer, loop_agent, checks],
        )

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        logger.info("[%s] begins", self.name)
        async for event in self.writer.run_async(ctx):
            logger.info("%s", event.model_dump_json(indent=2, exclude_none=True))
            yield event
        if "current_story" not in ctx.session.state or not ctx.session.state["current_story"]:
            return
        async for event in self.loop_agent.run_async(ctx):
            yield event
        async for event in self.checks.run_async(ctx):
            yield event
        if ctx.session.state.get("tone_check_result") == "negative":
            async for event in self.writer.run_async(ctx):
                yield event


def story(*, tone: str, first: str = "Once.") -> StoryAgent:
    return StoryAgent(
        name="StoryAgent",
        writer=LlmAgent(
            name="Writer",
            model=ScriptedLlm(script=[first, "Anew."]),
            instruction="A story about {topic}.",
            output_key="current_story",
        ),
        critic=LlmAgent(
            name="Critic",
            model=ScriptedLlm(script=["Meh."] * 2),
            instruction="Judge: {{current_story}}",
            output_key="criticism",
        ),
        reviser=LlmAgent(
            name="Reviser",
            model=ScriptedLlm(script=["Twice.", "Thrice."]),
            instruction="Mend {{current_story}} by {{criticism}}",
            output_key="current_story",
        ),
        grammar=LlmAgent(name="Grammar", model=ScriptedLlm(script=["Good."]), output_key="grammar_suggestions"),
        tone=LlmAgent(name="Tone", model=ScriptedLlm(script=[tone]), output_key="tone_check_result"),
    )


@pytest.mark.anyio
@pytest.mark.parametrize(("tone", "last"), [("positive", "Thrice."), ("negative", "Anew.")])
async def test_an_orchestrator_decides_on_state(tone, last):
    agent = story(tone=tone)
    session_service = InMemorySessionService()
    await session_service.create_session(app_name="story", user_id="u", session_id="s", state={"topic": "a fox"})
    runner = Runner(agent=agent, app_name="story", session_service=session_service)
    authors = [e.author async for e in runner.run_async(user_id="u", session_id="s", new_message=GO)]
    looped = ["Critic", "Reviser"] * 2
    assert authors == ["Writer", *looped, "Grammar", "Tone", *(["Writer"] if tone == "negative" else [])]
    session = await session_service.get_session(app_name="story", user_id="u", session_id="s")
    assert session is not None
    assert session.state["current_story"] == last


def test_the_hierarchy_of_an_orchestrator():
    agent = story(tone="positive")
    assert agent.find_agent("Critic") is agent.critic
    assert agent.critic.parent_agent is agent.loop_agent
    assert agent.loop_agent.parent_agent is agent
    assert agent.tone.root_agent is agent
    with pytest.raises(ValueError, match="already has the parent"):
        SequentialAgent(name="Second", sub_agents=[agent.writer])


def test_the_hierarchy_of_a_coordinator():
    greeter = LlmAgent(name="Greeter", model="gemini-flash-latest")
    task_doer = BaseAgent(name="TaskExecutor")
    coordinator = LlmAgent(
        name="Coordinator", model="gemini-flash-latest", description="Hands out.", sub_agents=[greeter, task_doer]
    )
    assert greeter.parent_agent == task_doer.parent_agent == coordinator
    assert coordinator.find_agent("TaskExecutor") is task_doer
    assert coordinator.find_sub_agent("Greeter") is greeter


class Answer(BaseModel):
    text: str
    score: float


@pytest.mark.anyio
async def test_an_agent_may_hold_a_plain_model_too():
    class Holder(BaseAgent):
        answer: Answer = Answer(text="x", score=0.5)

        async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
            yield Event(author=self.name, actions=EventActions(state_delta={"answer": self.answer.model_dump()}))

    runner = InMemoryRunner(Holder(name="h"))
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id="u")
    [event] = [e async for e in runner.run_async(user_id="u", session_id=session.id, new_message=GO)]
    assert event.actions.state_delta == {"answer": {"text": "x", "score": 0.5}}
