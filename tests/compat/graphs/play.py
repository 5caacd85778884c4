"""Plays graphs on one side, here or in google-adk, and tells what happened in the same words.

This file and the graphs import nothing of the project unless they run on its side. To record what google-adk does, in an
environment that has it:

    PYTHONPATH=. python -m tests.compat.graphs.play > tests/compat/graphs/adk.json
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

GROUPS = ("chains", "branches", "loops", "failures", "people", "nested", "corners", "workers", "teams")


@dataclass(frozen=True)
class Graph:
    """A graph and what the user says.

    Attributes:
        build: Makes the graph with a side's names and a list that nodes may write into.
        says: The user's messages: texts, and answers as dictionaries by the id of the question.
        state: The session's first state.
    """

    build: Callable[[Any, list[Any]], Any]
    says: Sequence[str | dict[str, Any]] = ("go",)
    state: dict[str, Any] = field(default_factory=dict)


def side(name: str) -> Any:
    """The names of a side."""
    from google.genai import types

    if name == "ours":
        import agents
        from agents import workflow

        names = {"App": agents.App, "Event": agents.Event, "RequestInput": agents.RequestInput}
        names |= {"LlmAgent": agents.LlmAgent, "FunctionTool": agents.FunctionTool, "BaseAgent": agents.BaseAgent}
        names |= {"SequentialAgent": agents.SequentialAgent, "ParallelAgent": agents.ParallelAgent}
        names |= {
            "LoopAgent": agents.LoopAgent,
            "InMemoryRunner": agents.InMemoryRunner,
            "LlmResponse": agents.LlmResponse,
            "BaseLlm": agents.BaseLlm,
        }
    else:
        from google.adk import workflow
        from google.adk.agents import BaseAgent, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
        from google.adk.apps import App
        from google.adk.events.event import Event
        from google.adk.events.request_input import RequestInput
        from google.adk.models.base_llm import BaseLlm
        from google.adk.models.llm_response import LlmResponse
        from google.adk.runners import InMemoryRunner
        from google.adk.tools import FunctionTool

        names = {"App": App, "Event": Event, "RequestInput": RequestInput, "LlmAgent": LlmAgent, "BaseAgent": BaseAgent}
        names |= {"SequentialAgent": SequentialAgent, "ParallelAgent": ParallelAgent, "LoopAgent": LoopAgent}
        names |= {"FunctionTool": FunctionTool, "InMemoryRunner": InMemoryRunner}
        names |= {"LlmResponse": LlmResponse, "BaseLlm": BaseLlm}
    listed = ("Workflow", "JoinNode", "Node", "node", "RetryConfig", "DEFAULT_ROUTE", "Edge", "START", "BaseNode")
    k = SimpleNamespace(types=types, **names, **{each: getattr(workflow, each) for each in listed})

    class Model(k.BaseLlm):
        """Answers with a function of what it was sent."""

        say: Any = None

        async def generate_content_async(self, llm_request, stream=False):
            sent = [part.text for content in llm_request.contents for part in content.parts or () if part.text]
            said = self.say(sent)
            parts = [said if isinstance(said, types.Part) else types.Part(text=said)]
            yield k.LlmResponse(content=types.Content(role="model", parts=parts))

    k.model = lambda say: Model(model="model", say=say)
    return k


async def play(k: Any, graph: Graph) -> dict[str, Any]:
    """What happens in a graph: the events of each message, the state, and what its nodes wrote."""
    notes: list[Any] = []
    try:
        runner = k.InMemoryRunner(app=k.App(name="graphs", root_agent=graph.build(k, notes)))
    except Exception as error:
        return {"refused": type(error).__name__}
    service = runner.session_service
    session = await service.create_session(app_name="graphs", user_id="user_1", state=dict(graph.state))
    turns = []
    for said in graph.says:
        turn: dict[str, Any] = {"events": []}
        events = runner.run_async(user_id="user_1", session_id=session.id, new_message=_message(k, said))
        try:
            async for event in events:
                turn["events"].append(_told(event))
        except Exception as error:
            turn["error"] = type(error).__name__
        turns.append(turn)
    stored = await service.get_session(app_name="graphs", user_id="user_1", session_id=session.id)
    told = {"turns": turns, "state": dict(sorted(stored.state.items())), "notes": notes}
    return json.loads(json.dumps(told))


def _message(k: Any, said: str | dict[str, Any]) -> Any:
    if isinstance(said, str):
        return k.types.Content(role="user", parts=[k.types.Part(text=said)])
    answers = [
        k.types.FunctionResponse(id=question, name="adk_request_input", response=response)
        for question, response in said.items()
    ]
    return k.types.Content(role="user", parts=[k.types.Part(function_response=answer) for answer in answers])


def _told(event: Any) -> dict[str, Any]:
    """What an event tells, what is empty left out."""
    parts = (event.content.parts if event.content else None) or []
    told = {
        "node": event.node_info.path,
        "output": _plain(event.output),
        "route": event.actions.route,
        "state": dict(event.actions.state_delta),
        "text": "".join(part.text for part in parts if part.text),
        "calls": [part.function_call.name for part in parts if part.function_call],
        "asks": sorted(event.long_running_tool_ids or ()),
        "branch": event.branch,
        "error": event.error_code,
        "output_for": event.node_info.output_for,
    }
    return {name: value for name, value in told.items() if value not in (None, "", [], {})}


def _plain(value: Any) -> Any:
    """An output, messages in it as their texts."""
    value = value.model_dump() if hasattr(value, "model_dump") else value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "parts" in value:
        return {"message": [part["text"] for part in value["parts"]]}
    return {name: _plain(item) for name, item in value.items()}


def all_graphs() -> dict[str, Graph]:
    """All graphs, by name."""
    found: dict[str, Graph] = {}
    for group in GROUPS:
        module = importlib.import_module(f"tests.compat.graphs.{group}")
        found |= {f"{group}: {name}": graph for name, graph in module.GRAPHS.items()}
    return found


def main() -> None:
    """Plays all graphs in google-adk, and prints what happened as JSON."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    k = side("adk")
    told = {name: asyncio.run(play(k, graph)) for name, graph in all_graphs().items()}
    json.dump(told, sys.stdout, indent=1, ensure_ascii=False, sort_keys=True)


if __name__ == "__main__":
    main()
