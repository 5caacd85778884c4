"""The agent of the tool loop: it lists, reads and writes files in a folder of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents import LlmAgent, ToolContext
from agents.pipelines.working_files import working_files_of

FIRST_FILES = Path(__file__).parent / "files"

INSTRUCTION = """\
You look after a folder of text files: the papers of a garden that several people share.

Work with your tools alone; what you have not read you do not know. If the request names the one file that it is about,
go to that file; otherwise list the files first and read those that the request needs. Write only if you are asked to.
Tools in one step, at most: {calls_per_step?}
A tool that cannot do what you want says why. Act on it, or tell the person.
When nothing is left to do, answer in a few sentences: what you found, in which files, and where you wrote it.
Answer in the language that you are written to in.
"""


def list_files(tool_context: ToolContext) -> dict[str, Any]:
    """Lists all files: path and size in bytes."""
    return {"files": working_files_of(tool_context, FIRST_FILES).list()}


def read_file(path: str, tool_context: ToolContext) -> dict[str, Any]:
    """Reads one file.

    Args:
        path: As it was listed, e.g. "days/monday.txt".
        tool_context: Whose folder it is.
    """
    return {"path": path, "text": working_files_of(tool_context, FIRST_FILES).read(path)}


def write_file(path: str, text: str, tool_context: ToolContext) -> dict[str, Any]:
    """Writes one file, whole: what it held before is gone.

    Args:
        path: Where to, e.g. "report.txt".
        text: All that the file is to hold.
        tool_context: Whose folder it is.
    """
    is_new = working_files_of(tool_context, FIRST_FILES).write(path, text)
    return {"path": path, "characters": len(text), "new": is_new}


root_agent = LlmAgent(
    name="FileKeeper",
    description="Lists, reads and writes files until the request is done.",
    instruction=INSTRUCTION,
    tools=[list_files, read_file, write_file],
)
