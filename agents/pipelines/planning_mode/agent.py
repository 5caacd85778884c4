"""The agents of planning mode: a planner that may only look, a doer that may also write, and a switch between them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents import BaseAgent, InvocationContext, LlmAgent, RoutedAgent, RouteDecision, ToolContext
from agents.pipelines.working_files import working_files_of

FIRST_FILES = Path(__file__).parent / "files"

PLANNER_INSTRUCTION = """\
You plan changes to a folder of lists. You can look at the files, but not change them.

List the files, read those that the request is about, and answer with the steps as a numbered list, one change in each,
worded like these: Start guests.md. Add “honey” to shopping.md. Remove “milk” from shopping.md.
If a step is not needed, say why. If nothing is to be changed, answer what was asked. Never say that you changed anything.
"""

DOER_INSTRUCTION = """\
You keep a folder of lists: one file for each, one entry on each line.

List the files, read those that the request is about, and write each file that changes, whole. Then say what you did.
If you are told to go ahead, carry out the steps of the plan.

Plan:
{plan?}
"""


def list_files(tool_context: ToolContext) -> dict[str, Any]:
    """Lists all files: path and size in bytes."""
    return {"files": working_files_of(tool_context, FIRST_FILES).list()}


def read_file(path: str, tool_context: ToolContext) -> dict[str, Any]:
    """Reads one file, e.g. "shopping.md"."""
    return {"path": path, "text": working_files_of(tool_context, FIRST_FILES).read(path)}


def write_file(path: str, text: str, tool_context: ToolContext) -> dict[str, Any]:
    """Writes one file, whole: what it held before is gone."""
    is_new = working_files_of(tool_context, FIRST_FILES).write(path, text)
    return {"path": path, "new": is_new}


def by_mode(_agents: Mapping[str, BaseAgent], context: InvocationContext) -> RouteDecision:
    """Reads the switch when a message starts. A run ends in the mode in which it started."""
    if context.session.state.get("planning", False):
        return RouteDecision("plan", "Planning mode is on: look, and change nothing.")
    return RouteDecision("do", "Planning mode is off.")


planner = LlmAgent(
    name="Planner",
    description="Looks at the files and says what would be changed.",
    instruction=PLANNER_INSTRUCTION,
    tools=[list_files, read_file],
    output_key="plan",
)
doer = LlmAgent(
    name="Doer",
    description="Reads and writes the files.",
    instruction=DOER_INSTRUCTION,
    tools=[list_files, read_file, write_file],
)
root_agent = RoutedAgent(
    name="ListKeeper",
    description="Plans changes to a folder of lists, or makes them, as the switch says.",
    agents={"plan": planner, "do": doer},
    router=by_mode,
)
