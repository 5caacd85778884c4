"""What is run for CPU per event: agent trees, what their model says, what the session holds beforehand.

The model answers at once with responses made before the clock starts, so that what is left is the framework.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.sides import SENTENCE, Side, history

APP, USER, STATE = "benchmark", "person", {"topic": "harbours"}
LOOPS, BRANCHES, ROUNDS = 50, 16, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One invocation, to be run again and again.

    Attributes:
        title: What the report calls it.
        agent: Makes the tree for a side and its model.
        answers: Makes what the model says in one invocation.
        events: Events that one invocation yields.
        repeat: Invocations a round. Without a history it is so many that a round takes 12 ms or more: of 5 ms, a tenth are
            the cold caches that the collection of garbage before it leaves.
        history: Events in the session beforehand, to which invocations add; without any, each has a new session.
        authors: Who said them, in turns.
    """

    title: str
    agent: Callable[[Side, Any], Any]
    answers: Callable[[Side], list[Any]]
    events: int
    repeat: int
    history: int = 0
    authors: Sequence[str] = ("user", "writer")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a round came to: events yielded, contents the model was sent, CPU seconds of the process."""

    events: int
    contents: int
    seconds: float


class Script:
    """What a model says, one response a call; `contents` counts what it was sent.

    Args:
        side: Whose model it is.
    """

    def __init__(self, side: Side) -> None:
        script = self
        self.answers: Iterator[Any] = iter(())
        self.contents = 0

        class ScriptModel(side.BaseLlm):
            model: str = "script"

            async def generate_content_async(self, llm_request, stream=False):
                script.contents += len(llm_request.contents)
                yield next(script.answers)

        self.model: Any = ScriptModel()


@dataclass(frozen=True, slots=True)
class Room:
    """Where a workload runs: a session service, and the long session in it if it needs one."""

    service: Any
    session_id: str | None


async def furnish(side: Side, workload: Workload) -> Room:
    """Makes a room for a workload; its invocations may be measured in it again and again."""
    service = side.InMemorySessionService()
    if not workload.history:
        return Room(service, None)
    session = await service.create_session(app_name=APP, user_id=USER, state=STATE)
    for event in history(side, workload.history, workload.authors):
        await service.append_event(session, event)
    return Room(service, session.id)


async def measure(side: Side, workload: Workload, room: Room, repeat: int) -> Measure:
    """Runs a workload `repeat` times and measures the whole, what prepares it left out.

    Raises:
        AssertionError: Not all of the script was said.
    """
    script = Script(side)
    runner = side.Runner(app_name=APP, agent=workload.agent(side, script.model), session_service=room.service)
    sessions = [room.session_id or await _new_session(room.service) for _ in range(repeat)]
    script.answers = iter([answer for _ in range(repeat) for answer in workload.answers(side)])
    message = side.types.Content(role="user", parts=[side.types.Part(text="Tell me about the harbour.")])
    events = 0
    gc.collect()
    started = time.process_time()
    for session_id in sessions:
        async for _event in runner.run_async(user_id=USER, session_id=session_id, new_message=message):
            events += 1
    seconds = time.process_time() - started
    assert next(script.answers, None) is None, "The model was not asked for all of its answers."
    return Measure(events, script.contents, seconds)


async def _new_session(service: Any) -> str:
    return (await service.create_session(app_name=APP, user_id=USER, state=STATE)).id


def _text(side: Side) -> Any:
    return _response(side, side.types.Part(text=SENTENCE))


def _call(side: Side) -> Any:
    call = side.types.FunctionCall(name="water_level", args={"place": "harbour", "day": 3})
    return _response(side, side.types.Part(function_call=call))


def _response(side: Side, part: Any) -> Any:
    tokens = side.types.GenerateContentResponseUsageMetadata(
        prompt_token_count=120, candidates_token_count=30, total_token_count=150
    )
    return side.LlmResponse(content=side.types.Content(role="model", parts=[part]), usage_metadata=tokens)


def _writer(side: Side, model: Any, name: str = "writer", **more: Any) -> Any:
    return side.LlmAgent(name=name, model=model, instruction="Write about {topic}.", output_key="draft", **more)


def _loop(side: Side, model: Any) -> Any:
    return side.LoopAgent(name="loop", max_iterations=LOOPS, sub_agents=[_writer(side, model)])


def _parallel(side: Side, model: Any) -> Any:
    return side.ParallelAgent(name="all", sub_agents=[_writer(side, model, f"writer_{n}") for n in range(BRANCHES)])


def _with_tool(side: Side, model: Any) -> Any:
    async def water_level(place: str, day: int) -> dict:
        """How high the water stands.

        Args:
            place: Where.
            day: Which day of the month.
        """
        return {"place": place, "metres": day / 2}

    return _writer(side, model, tools=[water_level])


def _graph(side: Side, model: Any) -> Any:
    """A loop with a fan-out and a join in it, and a node that keeps count."""

    def begin(ctx: Any) -> str:
        ctx.state["round"] = 0
        return SENTENCE

    def left(node_input: Any, round: int) -> int:
        return round

    def right(node_input: Any) -> str:
        return SENTENCE

    def check(ctx: Any, node_input: Any) -> Any:
        ctx.state["round"] += 1
        return side.Event(output=SENTENCE, route="again" if ctx.state["round"] < ROUNDS else "end")

    kit = side.workflow
    first = kit.node(lambda node_input: node_input, name="first")
    loop = (
        "START",
        begin,
        first,
        (left, right),
        kit.JoinNode(name="join"),
        check,
        {"again": first, "end": _writer(side, model)},
    )
    return kit.Workflow(name="graph", edges=[loop])


def _one_turn(side: Side, model: Any) -> Any:
    return _writer(side, model, include_contents="none")


def _once(side: Side) -> list[Any]:
    return [_text(side)]


WORKLOADS = {
    "single": Workload(title="single invocation", agent=_writer, answers=_once, events=1, repeat=160),
    "loop": Workload(title=f"loop ×{LOOPS}", agent=_loop, answers=lambda side: _once(side) * LOOPS, events=LOOPS, repeat=6),
    "parallel": Workload(
        title=f"parallel ×{BRANCHES}",
        agent=_parallel,
        answers=lambda side: _once(side) * BRANCHES,
        events=BRANCHES,
        repeat=20,
    ),
    "tool": Workload(
        title="tool round trip", agent=_with_tool, answers=lambda side: [_call(side), _text(side)], events=3, repeat=80
    ),
    "graph": Workload(title=f"graph, {ROUNDS} rounds", agent=_graph, answers=_once, events=5 * ROUNDS + 2, repeat=10),
    "history": Workload(
        title="invocation over 2,000 events", agent=_writer, answers=_once, events=1, repeat=2, history=2000
    ),
    "shared_history": Workload(
        title="the same, half of them by others",
        agent=_writer,
        answers=_once,
        events=1,
        repeat=2,
        history=2000,
        authors=("user", "critic", "writer", "refiner"),
    ),
    "turn_100": Workload(title="turn after 100 events", agent=_one_turn, answers=_once, events=1, repeat=30, history=100),
    "turn_5000": Workload(
        title="turn after 5,000 events", agent=_one_turn, answers=_once, events=1, repeat=30, history=5000
    ),
}
