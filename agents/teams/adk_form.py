"""A team as google-adk reads it, and back; and what of a team google-adk does not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from agents.teams.edit import AgentNode, agent_of, outline, reference, rename_code
from agents.teams.team_files import ROOT
from agents.teams.yaml_edit import with_data
from agents.teams.yaml_text import read_yaml

Files = Mapping[str, str]
_OURS = ("output_retries", "propagate_escalation", "until")
"""Fields of agents that google-adk has not."""
_HEAD = '''"""The agents of this team that are tools: `adk web` takes no arguments of tools in YAML."""

from pathlib import Path

from google.adk.agents.config_agent_utils import from_config
from google.adk.tools import AgentTool

FOLDER = Path(__file__).parent
'''
_LINE = re.compile(r'(\w++) = AgentTool\(from_config\(str\(FOLDER / "([^"\\\n]++)"\)\)(, skip_summarization=True)?\)')
_IMPORTS_OURS = re.compile(r"^[ \t]*+(?:from|import)[ \t]++agents\b", re.MULTILINE)


def to_adk(name: str, files: Files) -> dict[str, str]:
    """The files for a folder of that name: names of own code begin with it, and agents that are tools stand in a module."""
    names = ("agent_tools", *(f"agent_tools_{number}" for number in range(2, len(files) + 3)))
    module = next(one for one in names if f"{one}.py" not in files)
    lines: list[str] = []
    made = dict(files)
    for node in outline(files).walk():
        if node.agent_tools:
            agents = iter(node.agent_tools)
            tools = [tool if agent_of(tool) is None else _as_name(tool, next(agents), module, lines) for tool in node.tools]
            made[node.file] = _with_tools(made[node.file], tools)
    return rename_code(made | ({f"{module}.py": "\n".join([_HEAD, *lines, ""])} if lines else {}), "", name)


def from_adk(name: str, files: Files) -> dict[str, str]:
    """The files as they are edited here, from those in a folder of that name: undoes `to_adk`."""
    made = rename_code(files, name, "") if name else dict(files)
    for file in [file for file, text in made.items() if file.endswith(".py") and text.startswith(_HEAD)]:
        lines = filter(None, map(_LINE.fullmatch, made.pop(file).split("\n")))
        names = {f".{file.removesuffix('.py')}.{found[1]}": found for found in lines}
        for node in outline(made).walk():
            if any(_name_of(tool) in names for tool in node.tools):
                made[node.file] = _with_tools(made[node.file], [_as_agent(tool, names, node.file) for tool in node.tools])
    return made


def not_in_adk(files: Files, name: str = "team") -> list[str]:
    """Sentences on what google-adk does not read of a team of that name, or reads only with this playground installed."""
    found = [] if name.isascii() else [f"It opens folders with names of ASCII letters only: rename {name} first."]
    found += [
        f"{file} imports from this playground: other programs need it to be installed."
        for file, text in files.items()
        if file.endswith(".py") and _IMPORTS_OURS.search(text)
    ]
    return found + [said for node in outline(files).walk() for said in _lacks(node)] if ROOT in files else found


def _lacks(node: AgentNode) -> Iterator[str]:
    if node.agent_class.startswith("agents."):
        what = "a router" if node.agent_class == "agents.RoutedAgent" else f"of the class {node.agent_class}"
        yield f"{node.name} is {what}: ADK's form has none."
    yield from (f"{node.name} has {field}: ADK's form has none." for field in _OURS if field in node.fields)
    if "instruction_code" in node.fields:
        yield f"The instruction of {node.name} is made by a function: ADK's form has texts only."
    for tool in node.tools:
        if isinstance(tool, dict) and "args" in tool and agent_of(tool) is None:
            yield f"The tool {_name_of(tool)} of {node.name} has arguments, which `adk web` takes from no file."


def _as_name(tool: dict[str, Any], agent: AgentNode, module: str, lines: list[str]) -> dict[str, Any]:
    """An entry that names an agent in the module, and the line for it there."""
    if agent.problem or not agent.name.isidentifier() or any(sign in agent.file for sign in '"\\'):
        return tool
    skips = ", skip_summarization=True" if tool["args"].get("skip_summarization") is True else ""
    name = f"{agent.name}_tool"  # which no word of Python and no name in the module is
    lines.append(f'{name} = AgentTool(from_config(str(FOLDER / "{agent.file}")){skips})')
    return {"name": f".{module}.{name}"}


def _as_agent(tool: Any, names: Mapping[str, re.Match[str]], file: str) -> Any:
    """An entry that has the agent as its argument, for one that names it in the module."""
    if (found := names.get(_name_of(tool))) is None:
        return tool
    skips = {"skip_summarization": True} if found[3] else {}
    return {"name": "AgentTool", "args": {"agent": reference(file, found[2]), **skips}}


def _name_of(tool: Any) -> str:
    return str(cast("dict[str, Any]", tool).get("name", "?")) if isinstance(tool, dict) else "?"


def _with_tools(text: str, tools: list[Any]) -> str:
    return with_data(text, {**cast("dict[str, Any]", read_yaml(text).data), "tools": tools})
