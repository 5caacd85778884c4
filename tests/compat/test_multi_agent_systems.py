"""Teams of agents as code for ADK builds them: hierarchies, delegation, agents as tools, and the well-known patterns."""

# ruff: noqa: UP006, UP035  the spelling of the documentation
from __future__ import annotations

from typing import Any, AsyncGenerator, Dict

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import (
    AgentTool,
    BaseAgent,
    Event,
    EventActions,
    FunctionTool,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LongRunningFunctionTool,
    LoopAgent,
    ParallelAgent,
    Runner,
    SequentialAgent,
)
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import instruction_in

pytestmark = pytest.mark.anyio


class Conversation:
    """A person and an agent tree, over one session."""

    def __init__(self, agent: BaseAgent, state: Dict[str, Any] | None = None) -> None:
        self.service = InMemorySessionService()
        self.runner = Runner(agent=agent, app_name="app", session_service=self.service)
        self.start_state = state

    async def send(self, content: types.Content) -> list[Event]:
        name = {"app_name": "app", "user_id": "u", "session_id": "s"}
        if await self.service.get_session(**name) is None:
            await self.service.create_session(**name, state=self.start_state)
        return [event async for event in self.runner.run_async(user_id="u", session_id="s", new_message=content)]

    async def say(self, text: str = "go") -> list[Event]:
        return await self.send(types.UserContent(text))

    async def state(self) -> dict[str, Any]:
        session = await self.service.get_session(app_name="app", user_id="u", session_id="s")
        assert session is not None
        return session.state


def scripted(name: str, *script: Any, **fields: Any) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=list(script)), **fields)


def request_of(agent: LlmAgent, number: int = -1) -> Any:
    assert isinstance(agent.model, ScriptedLlm)
    return agent.model.requests[number]


# -- hierarchy


class TaskDoer(BaseAgent):
    """Does something that needs no model."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        yield Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text="Task done.")]))


def test_parents_and_children_know_each_other():
    greeter = LlmAgent(name="Greeter", model="gemini-2.5-flash")
    task_doer = TaskDoer(name="TaskExecutor")
    coordinator = LlmAgent(
        name="Coordinator",
        model="gemini-2.5-flash",
        description="I coordinate greetings and tasks.",
        sub_agents=[greeter, task_doer],
    )
    assert greeter.parent_agent == coordinator
    assert task_doer.parent_agent == coordinator
    assert coordinator.find_agent("TaskExecutor") is task_doer
    with pytest.raises(ValueError, match=r"Coordinator.*clone"):
        SequentialAgent(name="Other", sub_agents=[greeter])


# -- workflow agents and shared state


async def test_a_step_reads_what_the_step_before_wrote():
    step2 = scripted("Step2_Process", "Processed.", instruction="Process the data in {data}.")
    pipeline = SequentialAgent(name="MyPipeline", sub_agents=[scripted("Step1_Fetch", "42 rows", output_key="data"), step2])
    await Conversation(pipeline).say()
    assert instruction_in(request_of(step2)) == "Process the data in 42 rows."


async def test_fetchers_side_by_side_write_keys_of_their_own():
    conversation = Conversation(
        ParallelAgent(
            name="InfoGatherer",
            sub_agents=[
                scripted("WeatherFetcher", "Rain.", output_key="weather"),
                scripted("NewsFetcher", "Nothing new.", output_key="news"),
            ],
        )
    )
    await conversation.say()
    assert await conversation.state() == {"weather": "Rain.", "news": "Nothing new."}


class CheckCondition(BaseAgent):
    """Ends the loop when the state says that the work is done."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        is_done = ctx.session.state.get("status", "pending") == "completed"
        yield Event(author=self.name, actions=EventActions(escalate=is_done))


async def test_a_loop_runs_until_its_checker_escalates():
    process_step = scripted("ProcessingStep", "pending", "completed", output_key="status")
    poller = LoopAgent(name="StatusPoller", max_iterations=10, sub_agents=[process_step, CheckCondition(name="Checker")])
    events = await Conversation(poller).say()
    assert [event.author for event in events] == ["ProcessingStep", "Checker"] * 2
    assert events[-1].actions.escalate


async def test_an_output_key_reaches_a_later_instruction():
    agent_b = scripted("AgentB", "A city of light.", instruction="Tell me about the city stored in {capital_city}.")
    agent_a = scripted("AgentA", "Paris", instruction="Find the capital of France.", output_key="capital_city")
    await Conversation(SequentialAgent(name="CityInfo", sub_agents=[agent_a, agent_b])).say()
    assert instruction_in(request_of(agent_b)) == "Tell me about the city stored in Paris."


# -- delegation by the model


def help_desk(*, coordinator: list[Any], booker: list[Any], info: list[Any]) -> LlmAgent:
    return scripted(
        "Coordinator",
        *coordinator,
        instruction="Delegate booking to Booker and questions to Info.",
        description="Main coordinator.",
        sub_agents=[
            scripted("Booker", *booker, description="Handles flight and hotel bookings."),
            scripted("Info", *info, description="Provides general information."),
        ],
    )


async def test_the_coordinator_hands_over_and_the_specialist_keeps_the_conversation():
    coordinator = help_desk(
        coordinator=[[call("transfer_to_agent", agent_name="Booker")]], booker=["Booked.", "Window seat."], info=[]
    )
    conversation = Conversation(coordinator)
    events = await conversation.say("Book me a flight.")
    assert events[-1].author == "Booker"
    assert [e.actions.transfer_to_agent for e in events if e.actions.transfer_to_agent] == ["Booker"]
    asked = request_of(coordinator)
    declared = asked.tools_dict["transfer_to_agent"]._get_declaration().model_dump(exclude_none=True)
    assert "Booker" in str(declared)
    assert "Handles flight and hotel bookings." in asked.system_instruction
    assert [event.author for event in await conversation.say("By the window, please.")] == ["Booker"]


async def test_a_specialist_hands_on_to_a_peer_and_back_to_the_parent():
    coordinator = help_desk(
        coordinator=[[call("transfer_to_agent", agent_name="Info")], "Anything else?"],
        booker=[[call("transfer_to_agent", agent_name="Coordinator")]],
        info=[[call("transfer_to_agent", agent_name="Booker")]],
    )
    events = await Conversation(coordinator).say("Where can I book?")
    handed = [e.actions.transfer_to_agent for e in events if e.actions.transfer_to_agent]
    assert handed == ["Info", "Booker", "Coordinator"]
    assert (events[-1].author, events[-1].text) == ("Coordinator", "Anything else?")


# -- agents as tools


class ImageGenerator(BaseAgent):
    """Makes an image of what is in state."""

    name: str = "ImageGen"
    description: str = "Generates an image based on a prompt."

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        prompt = ctx.session.state.get("image_prompt", "default prompt")
        image = types.Part.from_bytes(data=f"image of {prompt}".encode(), mime_type="image/png")
        yield Event(author=self.name, content=types.Content(parts=[image]))


async def test_an_agent_that_makes_an_image_is_a_tool():
    image_tool = AgentTool(agent=ImageGenerator())
    artist = scripted(
        "Artist",
        [call("ImageGen", request="a cat wearing a hat")],
        "There it is.",
        instruction="Create a prompt and use the ImageGen tool.",
        tools=[image_tool],
    )
    events = await Conversation(artist, {"image_prompt": "a cat wearing a hat"}).say()
    [response] = events[1].get_function_responses()
    assert response.parts
    assert response.parts[0].inline_data is not None
    assert response.parts[0].inline_data.data == b"image of a cat wearing a hat"
    assert events[-1].text == "There it is."


# -- the patterns


async def test_sequential_pipeline_of_three():
    validator = scripted("ValidateInput", "valid", instruction="Validate the input.", output_key="validation_status")
    processor = scripted(
        "ProcessData", "7", instruction="Process data if {validation_status} is 'valid'.", output_key="result"
    )
    reporter = scripted("ReportResult", "The result is 7.", instruction="Report the result from {result}.")
    events = await Conversation(SequentialAgent(name="DataPipeline", sub_agents=[validator, processor, reporter])).say()
    assert events[-1].text == "The result is 7."
    assert instruction_in(request_of(processor)) == "Process data if valid is 'valid'."


async def test_fan_out_and_gather():
    fetchers = [
        scripted("Api1Fetcher", "one", instruction="Fetch data from API 1.", output_key="api1_data"),
        scripted("Api2Fetcher", "two", instruction="Fetch data from API 2.", output_key="api2_data"),
    ]
    synthesizer = scripted("Synthesizer", "both", instruction="Combine results from {api1_data} and {api2_data}.")
    gather = ParallelAgent(name="ConcurrentFetch", sub_agents=fetchers)
    await Conversation(SequentialAgent(name="FetchAndSynthesize", sub_agents=[gather, synthesizer])).say()
    assert instruction_in(request_of(synthesizer)) == "Combine results from one and two."


async def test_hierarchical_decomposition_with_agents_as_tools():
    web_searcher = scripted("WebSearch", "Three papers.", description="Performs web searches for facts.")
    summarizer = scripted("Summarizer", "In short: tides.", description="Summarizes text.")
    assistant = scripted(
        "ResearchAssistant",
        [call("WebSearch", request="tides"), call("Summarizer", request="papers on tides")],
        "Tides, in short.",
        description="Finds and summarizes information on a topic.",
        tools=[AgentTool(agent=web_searcher), AgentTool(agent=summarizer)],
    )
    writer = scripted(
        "ReportWriter",
        [call("ResearchAssistant", request="tides")],
        "Report: tides, in short.",
        instruction="Write a report on a topic. Use the ResearchAssistant to gather information.",
        tools=[AgentTool(agent=assistant)],
    )
    events = await Conversation(writer).say("Write about tides.")
    [result] = events[1].get_function_responses()
    assert result.response == {"result": "Tides, in short."}
    assert events[-1].text == "Report: tides, in short."
    assert [content.parts[0].text for content in request_of(assistant, 0).contents] == ["tides"]


async def test_generator_and_critic():
    generator = scripted("DraftWriter", "A draft.", instruction="Write a short paragraph.", output_key="draft_text")
    reviewer = scripted(
        "FactChecker",
        "invalid: no source",
        instruction="Review {draft_text}. Output 'valid' or 'invalid'.",
        output_key="status",
    )
    conversation = Conversation(SequentialAgent(name="WriteAndReview", sub_agents=[generator, reviewer]))
    await conversation.say()
    assert instruction_in(request_of(reviewer)).startswith("Review A draft.")
    assert (await conversation.state())["status"] == "invalid: no source"


class CheckStatusAndEscalate(BaseAgent):
    """Ends the refinement when the checker passed the code."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        status = ctx.session.state.get("quality_status", "fail")
        yield Event(author=self.name, actions=EventActions(escalate=(status == "pass")))


async def test_iterative_refinement():
    refiner = scripted(
        "CodeRefiner",
        "v1",
        "v2",
        instruction="Read {current_code?} and {requirements}. Improve it.",
        output_key="current_code",
    )
    checker = scripted("QualityChecker", "fail", "pass", instruction="Evaluate {current_code}.", output_key="quality_status")
    loop = LoopAgent(
        name="CodeRefinementLoop",
        max_iterations=5,
        sub_agents=[refiner, checker, CheckStatusAndEscalate(name="StopChecker")],
    )
    conversation = Conversation(loop, {"requirements": "sort numbers"})
    await conversation.say()
    assert (await conversation.state())["current_code"] == "v2"
    assert instruction_in(request_of(refiner)) == "Read v1 and sort numbers. Improve it."


# -- a person in the loop


class ApprovalDecision(BaseModel):
    """What the person said."""

    approved: bool


def ask_for_approval(amount: float, reason: str) -> None:
    """Asks a person; the answer comes later."""


async def test_a_person_is_asked_by_a_long_running_tool_and_the_workflow_goes_on():
    prepare = scripted("PrepareApproval", "Ready.", instruction="Prepare the approval request.")
    request = scripted(
        "RequestHumanApproval",
        [call("ask_for_approval", amount=900, reason="a new lens")],
        "approved",
        instruction="Use the tool.",
        tools=[LongRunningFunctionTool(func=ask_for_approval)],
        output_key="human_decision",
    )
    process = scripted("ProcessDecision", "Paid.", instruction="If {human_decision} is 'approved', proceed.")
    workflow = SequentialAgent(name="HumanApprovalWorkflow", sub_agents=[prepare, request, process])
    conversation = Conversation(workflow)

    events = await conversation.say()
    asked = events[-1]
    [waiting] = asked.get_function_calls()
    assert asked.long_running_tool_ids == {waiting.id}

    answer = types.FunctionResponse(id=waiting.id, name=waiting.name, response=ApprovalDecision(approved=True).model_dump())
    events = await conversation.send(types.Content(role="user", parts=[types.Part(function_response=answer)]))
    assert [(event.author, event.text) for event in events] == [
        ("RequestHumanApproval", "approved"),
        ("ProcessDecision", "Paid."),
    ]
    assert instruction_in(request_of(process)) == "If approved is 'approved', proceed."


def pay(amount: float) -> dict[str, Any]:
    """Pays."""
    return {"paid": amount}


async def test_a_tool_that_wants_a_confirmation():
    clerk = scripted(
        "Clerk",
        [call("pay", amount=5000.0)],
        "Done.",
        tools=[FunctionTool(pay, require_confirmation=lambda amount: amount > 1000)],
    )
    conversation = Conversation(clerk)
    [waiting] = (await conversation.say())[-1].get_function_calls()
    assert waiting.name == "adk_request_confirmation"
    answer = types.FunctionResponse(id=waiting.id, name=waiting.name, response={"confirmed": True})
    events = await conversation.send(types.Content(role="user", parts=[types.Part(function_response=answer)]))
    assert events[0].get_function_responses()[0].response == {"paid": 5000.0}
    assert events[-1].text == "Done."
