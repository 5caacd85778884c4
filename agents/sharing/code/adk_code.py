"""A session as a Python file on google-adk, where its pipeline uses nothing that ADK lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.agent import BaseAgent
from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.pipeline import Pipeline, all_agents
from agents.sharing.code.adk_tree import MODEL, AdkTree
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CodeFile
from agents.sharing.code.recorded_session import RecordedSession, Turn, is_as_model
from agents.sharing.code.turns import TurnWriter, assembled
from agents.tools.agent_tool import AgentTool
from agents.tools.function import FunctionTool
from agents.tools.long_running import LongRunningFunctionTool

_GEMINI = "gemini-"
_USUAL_MODEL = "gemini-flash-latest"
_USUAL_CALLS = 500
_ABOUT = '''"""The pipeline {pipeline} and one of its sessions, on google-adk 2.13.

Run it where google-adk is installed, with GOOGLE_API_KEY in the environment.
"""'''


def adk_code(pipeline: Pipeline, recorded: RecordedSession, *, root: BaseAgent | None = None) -> tuple[str, tuple[str, ...]]:
    """The file, and nothing; or "" and sentences on what cannot be written for ADK.

    Args:
        pipeline: The pipeline.
        recorded: What the session was run with.
        root: The tree that it ran, where that is not the pipeline's.

    Raises:
        CannotWriteError: The pipeline's package cannot be read.
    """
    file, top = CodeFile(), root or pipeline.root_agent
    asked = [turn for turn in recorded.turns if not is_as_model(turn)]
    if len(asked) < len(recorded.turns):
        notes = [*recorded.notes, f"The user answered as a model; here {MODEL} answers in their place."]
        recorded = replace(recorded, turns=asked, notes=notes)
    for name in ("asyncio", "uuid"):
        file.imported(name)
    last = recorded.turns[-1] if recorded.turns else Turn()
    turns = _Turns(file, recorded.turns)
    file.claim(MODEL, MODEL)
    named = last.model.startswith(_GEMINI)
    reason = "" if named else f"  # the session ran on {literals.remark(last.model)}"
    file.statements.append(f"{MODEL} = {literals.quoted(last.model if named else _USUAL_MODEL)}{reason}")
    tree = AdkTree(file, pipeline, last.agent_models)
    tree.write_root(top)
    if tree.lacks:
        return "", tuple(tree.lacks.values())
    turns.write(recorded.state)
    notes = [*recorded.notes, *_settings(recorded.turns), *adk_differences(top, recorded.turns)]
    if pipeline.plugins:
        notes.append(f"The plugins of its App are not in here: {', '.join(one.name for one in pipeline.plugins)}.")
    if pipeline.events_compaction_config is not None:
        notes.append("The events_compaction_config of its App is not in here: no event is summed up.")
    main = turns.main(pipeline.name, recorded.session_id)
    return assembled(file, _ABOUT.format(pipeline=pipeline.name), notes, main), ()


class _Turns(TurnWriter):
    """Writes turns with run configurations of ADK."""

    def __init__(self, file: CodeFile, turns: Sequence[Turn]) -> None:
        super().__init__(file, turns)
        file.imported("google.adk.events", "Event")
        file.imported("google.adk.runners", "InMemoryRunner")
        file.imported("google.adk.agents", "RunConfig")

    def config(self, turn: Turn) -> str:
        """A turn's run configuration."""
        usual = turn.max_llm_calls == _USUAL_CALLS
        return literals.call("RunConfig", [] if usual else [f"max_llm_calls={turn.max_llm_calls}"])


def _settings(turns: Sequence[Turn]) -> Iterator[str]:
    """Settings of the session that ADK has not."""
    if faults := dict.fromkeys(str(fault) for turn in turns for fault in turn.faults):
        yield f"Faults are not injected, since ADK has none: {', '.join(faults)}."
    if others := {name for turn in turns for name in turn.agent_models.values() if not name.startswith(_GEMINI)}:
        yield f"Agents that ran on {', '.join(sorted(others))} have MODEL."
    if len({turn.model for turn in turns}) > 1:
        yield "The turns ran on several models; all of them have the last one's."


def adk_differences(root: BaseAgent, turns: Sequence[Turn] = ()) -> Iterator[str]:
    """Sentences on what ADK does otherwise with the parts that a tree has."""
    found = all_agents(root)
    models = [agent for agent in found if isinstance(agent, LlmAgent)]
    tools = [tool for agent in models for tool in agent.tools]
    if any(isinstance(agent, LoopAgent) and _loops_in(agent) for agent in found):
        yield "On ADK, an escalation ends every loop around it; in the playground, the nearest one."
    if any(not isinstance(tool, AgentTool) for tool in tools):
        yield (
            "On ADK, a tool that raises an error ends the run, and arguments of a wrong type reach the function; in the "
            "playground, the model gets an error that it can act on."
        )
    if any(isinstance(tool, AgentTool) for tool in tools):
        yield "On ADK, an agent as a tool runs in a session of its own, and its events are not among those of this one."
    if any(agent.output_schema is not None for agent in models):
        yield "On ADK, an answer that does not fit output_schema ends the run; in the playground, the model is told once."
    if any(agent.transfer_targets for agent in models):
        yield "On ADK, a transfer to an unknown agent ends the run; in the playground, the model gets an error."
    if any(isinstance(tool, FunctionTool) and tool.require_confirmation for tool in tools):
        yield "On ADK, a rejected call is answered with other words, and a step after one that waited may not run."
    if any(isinstance(tool, LongRunningFunctionTool) for tool in tools) and any(map(_is_workflow, found)):
        yield "On ADK, a workflow ends where a long-running tool waits, and an answer runs the calling agent only."
    if any("args" in answer.response for turn in turns for answer in turn.answers):
        yield "Arguments that were changed with an approval are not changed on ADK."
    if models:
        yield "On ADK, an agent's name and description come after its instruction; in the playground, before it."


def _loops_in(agent: BaseAgent) -> bool:
    return any(isinstance(child, LoopAgent) or _loops_in(child) for child in agent.sub_agents)


def _is_workflow(agent: BaseAgent) -> bool:
    return isinstance(agent, SequentialAgent | LoopAgent | ParallelAgent)
