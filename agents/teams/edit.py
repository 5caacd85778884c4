"""Changes a team in its files: agents are added, moved, wrapped, renamed and removed, and fields are set.

All functions take files and return new ones; what they do not change keeps its comments and its order, see `yaml_edit`.
An agent is named by its name, so names that stand twice must be changed in the files. Each may raise a `TeamError`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from agents.errors import TeamError, known
from agents.teams.graphs import edge_changes
from agents.teams.graphs.written_edges import GRAPHS, START, file_of
from agents.teams.stored.files import ENDINGS
from agents.teams.team_files import MOST_AGENTS, ROOT
from agents.teams.yaml_edit import with_data, written
from agents.teams.yaml_text import YamlError, read_yaml

Files = Mapping[str, str]
"""The files of a team: path below its folder, with slashes → text."""
_STRUCTURE = ("sub_agents", "tools")
_LONGEST_NAME = 100
_TEXTS = ("description", "instruction", "global_instruction", "static_instruction")
"""Fields that name nothing, whatever they say."""
_FIRST_FIELDS: dict[str, dict[str, Any]] = {
    "LlmAgent": {"instruction": "Answer the request."},
    "LoopAgent": {"max_iterations": 3},
    "agents.RoutedAgent": {"router": [{"ask": "Who should answer?"}]},
    "FunctionNode": {"func_code": ".tools.step"},
    "agents.teams.QuestionNode": {"question": "Shall it go on?", "options": ["yes", "no"]},
    "agents.teams.ChoiceNode": {"options": ["yes", "no"]},
}
"""What a new agent of a class begins with."""
_STEP = '''

def step(node_input: str) -> str:
    """What a new function node does: it passes on what it is given."""
    return node_input
'''


@dataclass(frozen=True, slots=True)
class AgentNode:
    """An agent as its file says it, with those below it.

    Attributes:
        name: Its name; for an agent in Python, the dotted name by which its parent names it.
        file: Its file; "" for an agent in Python.
        agent_class: Its class as it is written; "" for an agent in Python.
        fields: Its other fields as they are written, without children and tools.
        tools: Its tools as they are written.
        children: Its sub-agents.
        agent_tools: The agents that are its tools.
        problem: Why its file cannot be read; "" if it can.
    """

    name: str
    file: str
    agent_class: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tools: tuple[Any, ...] = ()
    children: tuple[AgentNode, ...] = ()
    agent_tools: tuple[AgentNode, ...] = ()
    problem: str = ""

    def walk(self) -> Iterator[AgentNode]:
        """It and all agents below it, those that are tools too."""
        yield self
        for below in (*self.children, *self.agent_tools):
            yield from below.walk()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an agent stands.

    Attributes:
        node: The agent.
        parent: The agent above it; None for the root.
        key: "sub_agents" or "tools", of the parent.
        index: Its place in that list.
    """

    node: AgentNode
    parent: AgentNode | None
    key: str
    index: int


def outline(files: Files) -> AgentNode:
    """The tree of a team's agents; what cannot be read has its `problem`, and hides nothing else."""
    return _node(files, ROOT, set())


def set_field(files: Files, agent: str, field: str, value: Any) -> dict[str, str]:
    """Sets a field of an agent to plain data; None removes it."""
    if field == "name":
        return rename_agent(files, agent, value)
    place = _find(files, agent)
    data = _data(files, place.node.file)
    if value is None:
        data.pop(field, None)
    elif field in data or field in _STRUCTURE:
        data[field] = value
    else:
        data = _with_field(data, field, value)
    return _with(files, place.node.file, data)


def edges_of(node: AgentNode) -> list[tuple[str, str, Any]]:
    """The edges of a graph, as names of nodes and route; a function of the team has its dotted name.

    Raises:
        TeamError: They cannot be read.
    """
    names = {edge_changes.reference_of(node.file, child.file): child.name for child in node.children if child.file}
    edges = edge_changes.edges_in({"name": node.name, **node.fields})
    shown = [[names.get(str(file_of(end)), str(end)) for end in edge[:2]] for edge in edges]
    return [(source, target, edge.route) for (source, target), edge in zip(shown, edges, strict=True)]


def set_edges(files: Files, graph: str, edges: list[tuple[str, str, Any]]) -> dict[str, str]:
    """Sets the edges of a graph, by the names of its nodes."""
    node = _find(files, graph).node
    ends = {child.name: edge_changes.reference_of(node.file, child.file) for child in node.children if child.file}
    made = [
        {"from_node": ends.get(source, source), "to_node": ends.get(target, target)}
        | ({} if route is None else {"route": route})
        for source, target, route in edges
    ]
    return set_field(files, graph, "edges", made or None)


def rename_agent(files: Files, agent: str, name: str) -> dict[str, str]:
    """Renames an agent, also in the rules of routers and the conditions of loops; texts and its file's name stay."""
    place = _find(files, agent)
    if name == agent:
        return dict(files)
    _check_name(files, name)
    changed = _with(files, place.node.file, {**_data(files, place.node.file), "name": name})
    for node in outline(changed).walk():
        if node.file and not node.problem:
            changed = _with(changed, node.file, _followed(_data(changed, node.file), agent, name))
    return changed


def _followed(data: dict[str, Any], before: str, after: str) -> dict[str, Any]:
    """An agent's fields with another agent's new name in its conditions and rules."""
    data = edge_changes.with_ends(data, lambda end: after if end == before else end)
    until, rules = data.get("until"), data.get("router")
    entries = cast("list[Any]", data.get("sub_agents") or [])
    keys = [cast("dict[str, Any]", entry).get("key") for entry in entries if isinstance(entry, dict)]
    naming = [("agent", one) for one in (cast("list[Any]", until) if isinstance(until, list) else [until])]
    if before not in keys:  # else the rules mean the agent with that key
        naming += [("to", rule) for rule in (cast("list[Any]", rules) if isinstance(rules, list) else ())]
    for key, one in naming:
        if isinstance(one, dict) and cast("dict[str, Any]", one).get(key) == before:
            one[key] = after
    return data


def add_agent(
    files: Files, parent: str, agent_class: str, name: str, *, position: int | None = None, as_tool: bool = False
) -> dict[str, str]:
    """Adds an agent below another one, in a file of its own: the last of the children or tools, or at a position."""
    _check_name(files, name)
    above = _find(files, parent).node
    file = _free_file(files, posixpath.dirname(above.file), name)
    made = {"agent_class": agent_class, "name": name, **_FIRST_FIELDS.get(agent_class, {})}
    files, entry = {**files, file: written(made)}, reference(above.file, file)
    if agent_class == "FunctionNode" and "def step(" not in files.get("tools.py", ""):
        files["tools.py"] = files.get("tools.py", '"""Functions of this team."""\n') + _STEP
    if as_tool:
        return _placed(files, above.file, {"name": "AgentTool", "args": {"agent": entry}}, position, key="tools")
    return _placed(files, above.file, entry, position)


def remove_agent(files: Files, agent: str) -> dict[str, str]:
    """Removes an agent and those below it, with their files."""
    place = _find(files, agent)
    if place.parent is None:
        raise TeamError(f"{agent} is the team's first agent, so it cannot be removed. Delete the team, or change the agent.")
    gone = {node.file for node in place.node.walk()}
    return {name: text for name, text in _taken_out(files, place)[0].items() if name not in gone}


def move_agent(files: Files, agent: str, parent: str, position: int) -> dict[str, str]:
    """Moves an agent, with those below it, to a position among the other children of an agent, its own parent or another."""
    place, target = _find(files, agent), _find(files, parent).node
    if place.parent is None:
        raise TeamError(f"{agent} is the team's first agent, so it has no other place. Wrap it in an agent first.")
    if any(node.file == target.file for node in place.node.walk()):
        raise TeamError(f"{agent} cannot be moved below itself. Move {parent} out of it first.")
    if place.key != "sub_agents":
        raise TeamError(f"{agent} is a tool of {place.parent.name}, not one of its sub-agents. Change that agent's tools.")
    if place.parent.file == target.file:
        data = _data(files, target.file)
        data["sub_agents"].insert(position, data["sub_agents"].pop(place.index))
        return _with(files, target.file, data)
    without, entry = _taken_out(files, place)
    entry = reference(target.file, place.node.file) if place.node.file else {"code": entry["code"]}
    return _placed(without, target.file, entry, position)


def wrap_agent(files: Files, agent: str, agent_class: str, name: str) -> dict[str, str]:
    """Puts a new agent, e.g. a LoopAgent, in the place of an agent, which becomes its only child."""
    place = _find(files, agent)
    _check_name(files, name)
    made: dict[str, Any] = {"agent_class": agent_class, "name": name, **_FIRST_FIELDS.get(agent_class, {})}
    if place.parent is None:
        file = _free_file(files, "", agent)
        if agent_class in GRAPHS:
            made["edges"] = [{"from_node": START, "to_node": file}]
        return {**files, file: files[ROOT], ROOT: written({**made, "sub_agents": [reference(ROOT, file)]})}
    file = _free_file(files, posixpath.dirname(place.parent.file), name)
    data = _data(files, place.parent.file)
    entry: dict[str, Any] = data[place.key][place.index]
    if place.key == "tools":
        inner, outer = (
            entry["args"]["agent"],
            {**entry, "args": {**entry["args"], "agent": reference(place.parent.file, file)}},
        )
    else:
        inner, outer = {key: one for key, one in entry.items() if key != "key"}, reference(place.parent.file, file)
        if "router" in data:
            outer["key"] = entry.get("key", agent)  # the router's rules go on to mean this place
    if place.node.file:
        inner = reference(file, place.node.file)
        old, new = (edge_changes.reference_of(place.parent.file, one) for one in (place.node.file, file))
        data = edge_changes.with_ends(data, lambda end: new if end == agent or file_of(end) == old else end)
    data[place.key][place.index] = outer
    if agent_class in GRAPHS and place.node.file:
        made["edges"] = [{"from_node": START, "to_node": inner["config_path"]}]
    return _with({**files, file: written({**made, "sub_agents": [inner]})}, place.parent.file, data)


def rename_code(files: Files, before: str, after: str) -> dict[str, str]:
    """Renames what the YAML files name of the team's own code, e.g. `before.tools.roll`, as the folder is renamed.

    Relative names, as `.tools.roll`, are those of the folder "".
    """
    changed = dict(files)
    for name in files:
        if name.endswith((".yaml", ".yml")):
            try:
                changed[name] = with_data(files[name], _renamed(_data(files, name), before, after))
            except (TeamError, YamlError):  # it says what is wrong when the team is loaded
                continue
    return changed


def _renamed(value: Any, before: str, after: str) -> Any:
    if isinstance(value, dict):
        return {
            key: one if key in _TEXTS else _renamed(one, before, after) for key, one in cast("dict[str, Any]", value).items()
        }
    if isinstance(value, list):
        return [_renamed(one, before, after) for one in cast("list[Any]", value)]
    if not isinstance(value, str) or not value.startswith(f"{before}.") or value.endswith(ENDINGS):
        return value
    own = value.removeprefix(before)
    return f"{after}{own}" if all(map(str.isidentifier, own[1:].split("."))) else value


def _node(files: Files, file: str, above: set[str]) -> AgentNode:
    stem = posixpath.basename(file).rpartition(".")[0] or file
    if file in above:
        return AgentNode(stem, file, problem=f"{file} has a place in this team already; an agent has one.")
    if len(above) >= MOST_AGENTS:
        return AgentNode(stem, file, problem=f"The team has more than {MOST_AGENTS} agents.")
    above.add(file)
    try:
        data = _data(files, file)
        children = tuple(_child(files, file, "sub_agents", entry, above) for entry in _entries(file, data, "sub_agents"))
        called = tuple(
            _child(files, file, "tools", agent, above)
            for tool in _entries(file, data, "tools")
            if (agent := agent_of(tool)) is not None
        )
    except TeamError as error:
        return AgentNode(stem, file, problem=str(error))
    name = data.get("name")
    return AgentNode(
        name if isinstance(name, str) and name else stem,
        file,
        str(data.get("agent_class") or "LlmAgent"),
        {key: value for key, value in data.items() if key not in (*_STRUCTURE, "agent_class")},
        tuple(data.get("tools") or ()),
        children,
        called,
    )


def _child(files: Files, file: str, key: str, entry: Any, above: set[str]) -> AgentNode:
    reference = (
        cast("dict[str, Any]", entry) if isinstance(entry, dict) else {"config_path": entry} if key == "tools" else {}
    )
    if isinstance(code := reference.get("code"), str):
        return AgentNode(code, "")
    path = reference.get("config_path")
    if not isinstance(path, str):
        return AgentNode("?", "", problem=f"{file}: an entry of {key} names an agent by `config_path: FILE.yaml`.")
    return _node(files, _joined(file, path), above)


def _entries(file: str, data: Mapping[str, Any], key: str) -> list[Any]:
    found = data.get(key)
    if found is not None and not isinstance(found, list):
        raise TeamError(f"{file}: {key} is a list: write each entry on a line of its own that begins with `- `.")
    return cast("list[Any]", found or [])


def agent_of(tool: Any) -> Any:
    """What a tool says of the agent that it calls; None for another tool."""
    given = cast("dict[str, Any]", tool).get("args") if isinstance(tool, dict) else None
    return cast("dict[str, Any]", given).get("agent") if isinstance(given, dict) else None


def _data(files: Files, file: str) -> dict[str, Any]:
    if not file:
        raise TeamError("This agent is written in Python. Change it in its module.")
    if file not in files:
        raise TeamError(f"There is no file {file!r} in this team. There are: {known(sorted(files))}.")
    try:
        data = read_yaml(files[file]).data
    except YamlError as error:
        raise TeamError(f"{file} is no file of an agent: {error}") from None
    if not isinstance(data, dict):
        raise TeamError(f"{file} is no file of an agent: it has no fields such as `name: writer`.")
    return edge_changes.with_nodes(cast("dict[str, Any]", data))


def _find(files: Files, agent: str) -> _Place:
    places = list(_places(_Place(outline(files), None, "", 0)))
    found = [place for place in places if place.node.name == agent]
    if len(found) > 1:
        raise TeamError(
            f"{len(found)} agents are called {agent}, in {known(place.node.file for place in found)}. "
            "Give each a name of its own in its file."
        )
    if not found:
        raise TeamError(f"There is no agent {agent!r}. There are: {known(place.node.name for place in places)}.")
    if found[0].node.problem:
        raise TeamError(found[0].node.problem)
    return found[0]


def _places(place: _Place) -> Iterator[_Place]:
    yield place
    node = place.node
    calling = [index for index, tool in enumerate(node.tools) if agent_of(tool) is not None]
    below = [_Place(child, node, "sub_agents", index) for index, child in enumerate(node.children)]
    below += [_Place(child, node, "tools", index) for index, child in zip(calling, node.agent_tools, strict=True)]
    for one in below:
        yield from _places(one)


def _check_name(files: Files, name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or name == "user" or len(name) > _LONGEST_NAME:
        raise TeamError(
            f"{str(name)[:_LONGEST_NAME]!r} cannot name an agent: use at most {_LONGEST_NAME} letters, digits and "
            "underscores, not starting with a digit, and not the word user."
        )
    if any(node.name == name for node in outline(files).walk()):
        raise TeamError(f"There is an agent {name} in this team already. Choose another name.")


def _with(files: Files, file: str, data: Mapping[str, Any]) -> dict[str, str]:
    try:
        return {**files, file: with_data(files[file], data)}
    except YamlError as error:
        raise TeamError(f"{file} cannot be changed so: {error}") from None


def _with_field(data: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """A new field stands before tools and children, which end a file."""
    ending = {key: data[key] for key in data if key in _STRUCTURE}
    return {**{key: one for key, one in data.items() if key not in ending}, field: value, **ending}


def _taken_out(files: Files, place: _Place) -> tuple[dict[str, str], dict[str, Any]]:
    """The files without an agent in its parent's list, and the entry that named it."""
    assert place.parent is not None
    data = _data(files, place.parent.file)
    entry = data[place.key].pop(place.index)
    if edge_changes.is_graph(data) and place.node.file:
        data = edge_changes.without(data, edge_changes.reference_of(place.parent.file, place.node.file), place.node.name)
    if not data.get(place.key):
        data.pop(place.key, None)
    return _with(files, place.parent.file, data), entry


def _placed(
    files: Files, file: str, entry: dict[str, Any], position: int | None, *, key: str = "sub_agents"
) -> dict[str, str]:
    data = _data(files, file)
    entries = list(_entries(file, data, key))
    at = len(entries) if position is None else min(position, len(entries))
    entries.insert(at, entry)
    data = {**data, key: entries}
    if key == "sub_agents" and edge_changes.is_graph(data):
        before = _node(files, _joined(file, entries[at - 1].get("config_path", "")), set()) if at else None
        data = edge_changes.linked(data, at, before.fields.get("options") or () if before else ())
    return _with(files, file, data)


def reference(by: str, file: str) -> dict[str, Any]:
    """How a file names the agent in another one."""
    return {"config_path": posixpath.relpath(file, posixpath.dirname(by) or ".")}


def _joined(by: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(by), path))


def _free_file(files: Files, folder: str, name: str) -> str:
    taken = {file.casefold() for file in files}
    numbers = ("", *(f"_{number}" for number in range(2, len(files) + 3)))
    made = (posixpath.join(folder, f"{name}{number}.yaml") for number in numbers)
    return next(file for file in made if file.casefold() not in taken)
