"""What the team editor asks its page to do, and the files that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agents import TeamError
from agents.teams import (
    AgentNode,
    YamlError,
    add_agent,
    move_agent,
    outline,
    read_yaml,
    remove_agent,
    set_edges,
    set_field,
    wrap_agent,
)
from ui.build.kinds import control_of, kind_of

MOST_ACTS = 200
Files = Mapping[str, str]


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int


class Select(_Act):
    """An agent was selected."""

    kind: Literal["select"]
    agent: str


class Set(_Act):
    """A field is to have a value; None removes it."""

    kind: Literal["set"]
    agent: str
    field: str
    value: Any


class Add(_Act):
    """An agent is to be added below another one, at a position among its children, or as the last of its tools."""

    kind: Literal["add"]
    agent_class: str
    parent: str
    position: int | None = Field(default=None, ge=0)
    as_tool: bool = False


class Wrap(_Act):
    """An agent is to be put into a new one, which takes its place."""

    kind: Literal["wrap"]
    agent: str
    agent_class: str


class Move(_Act):
    """An agent is to be moved below an agent, to a position among its other children."""

    kind: Literal["move"]
    agent: str
    parent: str
    position: int = Field(ge=0)


class Remove(_Act):
    """An agent is to be removed, with those below it."""

    kind: Literal["remove"]
    agent: str


class Turn(_Act):
    """The last change is to be taken back, or made again."""

    kind: Literal["undo", "redo"]


class Edge(BaseModel):
    """An edge of a graph, between nodes by their names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    route: bool | int | str | None = None


Change = Set | Add | Wrap | Move | Remove
Act = Annotated[Select | Change | Turn, Field(discriminator="kind")]
_edge_list: TypeAdapter[list[Edge]] = TypeAdapter(Annotated[list[Edge], Field(max_length=1000)])
_acts: TypeAdapter[list[Act]] = TypeAdapter(Annotated[list[Act], Field(max_length=MOST_ACTS)])


class Changed(NamedTuple):
    """What a change makes of a team.

    Attributes:
        files: The files.
        note: The change in a few words, for the list of revisions.
        agent: The agent to show afterwards.
    """

    files: dict[str, str]
    note: str
    agent: str


def read_acts(value: Any) -> list[Act]:
    """What a browser asks for, in its order; nothing if it is not well formed: a browser may send anything."""
    try:
        return _acts.validate_python(value)
    except ValidationError:
        return []


def changed(files: Files, change: Change) -> Changed:
    """Makes a change.

    Raises:
        TeamError: It cannot be made; the message says why.
    """
    match change:
        case Set(agent=agent, field="edges", value=value) if isinstance(value, list | None):
            return Changed(set_edges(files, agent, _edges(value)), f"{agent}: edges", agent)
        case Set(agent=agent, field=field, value=value):
            shown = str(value) if field == "name" else agent
            return Changed(
                set_field(files, agent, field, _plain(files, change)), f"{agent}: {field.replace('_', ' ')}", shown
            )
        case Add(agent_class=written, parent=parent, position=position, as_tool=as_tool):
            name = _free_name(files, written)
            files = add_agent(files, parent, written, name, position=position, as_tool=as_tool)
            return Changed(files, f"{name} added", name)
        case Wrap(agent=agent, agent_class=written):
            name = _free_name(files, written)
            return Changed(wrap_agent(files, agent, written, name), f"{agent} wrapped in {name}", name)
        case Move(agent=agent, parent=parent, position=position):
            return Changed(move_agent(files, agent, parent, position), f"{agent} moved", agent)
        case Remove(agent=agent):
            return Changed(remove_agent(files, agent), f"{agent} removed", _above(outline(files), agent))
        case _:
            assert_never(change)


def _edges(value: list[Any] | None) -> list[tuple[str, str, Any]]:
    try:
        return [(one.source, one.target, one.route) for one in _edge_list.validate_python(value or [])]
    except ValidationError:
        raise TeamError("The edges cannot be read: each leads from a node to a node, and may have a route.") from None


def _plain(files: Files, change: Set) -> Any:
    """The value as the file is to have it; what was typed as YAML is read."""
    node = next((one for one in outline(files).walk() if one.name == change.agent), None)
    if node is None or change.value is None or control_of(node.agent_class, change.field) != "yaml":
        return change.value
    try:
        return read_yaml(str(change.value)).data
    except YamlError as error:
        raise TeamError(f"{change.field} cannot be read: {error}") from None


def _free_name(files: Files, written: str) -> str:
    """A name for a new agent that no other one has, e.g. "loop_2"."""
    kind = kind_of(written)
    if kind is None:
        raise TeamError(f"There is no class of agents {written[:100]!r}.")
    taken = {node.name for node in outline(files).walk()}
    base = kind.label.replace(" ", "_")
    return next(name for at in range(len(taken) + 1) if (name := f"{base}_{at + 1}" if at else base) not in taken)


def _above(node: AgentNode, agent: str) -> str:
    """The agent above another one; the first agent where there is none."""
    found = (one.name for one in node.walk() if any(child.name == agent for child in (*one.children, *one.agent_tools)))
    return next(found, node.name)
