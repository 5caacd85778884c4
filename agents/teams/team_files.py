"""The files of a team: read and checked as data, before any agent is made and any code of the team is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.errors import PipelineLoadError
from agents.teams.graphs.written_edges import GRAPHS, EdgeError, WrittenEdge, file_of, read_edges
from agents.teams.yaml_text import Path as Place
from agents.teams.yaml_text import YamlError, YamlText, read_yaml

ROOT = "root_agent.yaml"
MOST_AGENTS = 200


@dataclass(frozen=True, slots=True)
class AgentFile:
    """One agent as it is written.

    Attributes:
        file: The file.
        text: What it says.
        sub_agents: Its children: agents, or the dotted names of agents in Python.
        tools: Agents that are its tools, by the place of the tool that names them.
        keys: What a router calls its children, by their place; others are called by their names.
        edges: The edges of a graph. The nodes that they name by a file, or hold, are among `sub_agents`.
        nodes: The place in `sub_agents` of what the edges name by a file, or hold.
    """

    file: Path
    text: YamlText
    sub_agents: list[AgentFile | str] = field(default_factory=list["AgentFile | str"])
    tools: dict[int, AgentFile] = field(default_factory=dict[int, "AgentFile"])
    keys: dict[int, str] = field(default_factory=dict[int, str])
    edges: list[WrittenEdge] = field(default_factory=list[WrittenEdge])
    nodes: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def fields(self) -> Mapping[str, Any]:
        """The agent's fields, as they are written."""
        return cast("dict[str, Any]", self.text.data)

    def walk(self) -> Iterator[AgentFile]:
        """It and all agents below it, those that are tools too."""
        yield self
        for child in (*self.sub_agents, *self.tools.values()):
            if isinstance(child, AgentFile):
                yield from child.walk()

    def error(self, place: Place, why: str) -> PipelineLoadError:
        """The error for a value: the file, the line, and what is wrong with it."""
        return PipelineLoadError(f"{self.file}, line {self.text.line(place)}: {why}")

    def beside(self, place: Place, written: object, folder: Path) -> Path:
        """A file that a value names, by its path from this one.

        Raises:
            PipelineLoadError: It is no path of a file, or leads out of the team's folder.
        """
        if not isinstance(written, str) or not written.strip():
            raise self.error(place, "the path of a file is needed, e.g. `config_path: writer.yaml`.")
        file = self.file.parent / written
        try:
            is_inside, is_there = file.resolve().is_relative_to(folder) and not Path(written).is_absolute(), file.is_file()
        except (OSError, ValueError):  # longer than paths may be, or with a zero byte
            is_inside, is_there = True, False
        if not is_inside:
            raise self.error(place, f"{written!r} is outside of the team's folder. Copy the file into {folder}.")
        if not is_there:
            raise self.error(place, f"there is no file {written!r} beside {self.file.name}.")
        return file


def is_team(folder: Path) -> bool:
    """Whether a folder's agents are written in YAML; an `agent.py` goes first, as in ADK."""
    return (folder / ROOT).is_file() and not (folder / "agent.py").is_file()


def read_team(folder: Path) -> AgentFile:
    """Reads `root_agent.yaml` and the files that it leads to.

    Raises:
        PipelineLoadError: A file cannot be read, is no YAML of an agent, lies outside the folder, or is used twice.
    """
    return _read(folder.resolve(), folder / ROOT, set())


def _read(folder: Path, file: Path, above: set[Path]) -> AgentFile:
    """Reads an agent's file, and those below it; `above` has the files that were read."""
    if len(above) >= MOST_AGENTS:
        raise PipelineLoadError(f"The team in {folder} has more than {MOST_AGENTS} agents.")
    found = AgentFile(file, _text_of(file))
    above.add(file.resolve())
    for index, reference in enumerate(_list(found, "sub_agents")):
        place = ("sub_agents", index)
        known = _mapping(found, place, reference, ("config_path", "code", "key"))
        if "key" in known:
            found.keys[index] = str(known["key"])
        if len(known.keys() - {"key"}) != 1:
            raise found.error(place, "a sub-agent is named by `config_path: FILE.yaml`, or by `code: TEAM.module.agent`.")
        if "code" in known:
            found.sub_agents.append(str(known["code"]))
        else:
            found.nodes[str(known["config_path"])] = index
            found.sub_agents.append(_referred(found, place, known["config_path"], folder, above))
    if found.fields.get("agent_class") in GRAPHS:
        _read_graph(found, folder, above)
    for index, tool in enumerate(_list(found, "tools")):
        place = ("tools", index)
        known = _mapping(found, place, tool, ("name", "args"))
        agent = cast("Mapping[str, Any]", known["args"]).get("agent") if isinstance(known.get("args"), dict) else None
        if agent is not None:
            written = cast("Mapping[str, Any]", agent).get("config_path") if isinstance(agent, dict) else agent
            found.tools[index] = _referred(found, (*place, "args", "agent"), written, folder, above)
    return found


def _read_graph(found: AgentFile, folder: Path, above: set[Path]) -> None:
    """Reads the edges of a graph, and the files that only they name."""
    try:
        found.edges.extend(read_edges(found.fields.get("edges")))
    except EdgeError as error:
        raise found.error(("edges", *error.place), f"{error}") from None
    for edge in found.edges:
        for end, place in zip(edge[:2], edge.places, strict=True):
            path = file_of(end)
            if path is not None and path not in found.nodes:
                found.nodes[path] = len(found.sub_agents)
                found.sub_agents.append(_referred(found, ("edges", *place), path, folder, above))
            elif path is None and isinstance(end, dict):
                raise found.error(("edges", *place), "write this node in a file of its own, and name that here.")


def _text_of(file: Path) -> YamlText:
    try:
        text = read_yaml(file.read_text(encoding="utf-8"))
    except YamlError as error:
        raise PipelineLoadError(f"{file} is no file of an agent: {error}") from None
    except UnicodeDecodeError:
        raise PipelineLoadError(f"{file} is not text in UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        raise PipelineLoadError(f"{file} cannot be read ({error.strerror}).") from None
    if not isinstance(text.data, dict):
        raise PipelineLoadError(f"{file} is no file of an agent: it has no fields such as `name: writer`.")
    return text


def _referred(by: AgentFile, place: Place, written: object, folder: Path, above: set[Path]) -> AgentFile:
    """The agent in a file that another one names."""
    file = by.beside(place, written, folder)
    if file.resolve() in above:
        raise by.error(
            place, f"{written!r} has a place in this team already; an agent has one. Copy the file under another name."
        )
    return _read(folder, file, above)


def _list(agent: AgentFile, key: str) -> list[Any]:
    found = agent.fields.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise agent.error((key,), f"{key} is a list: write each entry on a line of its own that begins with `- `.")
    return cast("list[Any]", found)


def _mapping(agent: AgentFile, place: Place, value: object, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not value:
        raise agent.error(place, f"an entry of {place[0]} has the keys {' and '.join(keys)}, e.g. `- {keys[0]}: …`.")
    found = cast("dict[str, Any]", value)
    if unknown := [key for key in found if key not in keys]:
        raise agent.error(
            (*place, unknown[0]), f"{unknown[0]!r} is no key of an entry of {place[0]}; {', '.join(keys)} are."
        )
    return found
