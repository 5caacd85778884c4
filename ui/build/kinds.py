"""The classes of agents that a team is made of, and the fields of their forms, which are found by reflection."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, Literal, TypedDict, get_args

from agents import BaseAgent, LlmAgent, LoopAgent, ParallelAgent, RoutedAgent, SequentialAgent, Workflow
from agents.teams import ChoiceNode, QuestionNode
from agents.workflow import FunctionNode, JoinNode

Control = Literal["line", "text", "instruction", "number", "switch", "choice", "tools", "yaml", "words", "edges"]


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A class of agents as the page shows it.

    Attributes:
        agent_class: The class.
        written: Its name in files.
        label: A word or two, e.g. "loop".
        sign: A sign for it.
        holds: Whether it runs the agents below it; those below an agent with a model are whom it may transfer to.
        wraps: Whether a single agent can be wrapped in it.
        node: Whether it stands in a graph only.
        shown: The fields in sight, in their order, each with its control. Others that are simple are folded.
    """

    agent_class: type[BaseAgent]
    written: str
    label: str
    sign: str
    holds: bool
    wraps: bool
    shown: dict[str, Control]
    node: bool = False


class Field(TypedDict):
    """A field as the browser takes it; the value of a "yaml" one is shown and typed as YAML."""

    name: str
    label: str
    kind: Control
    help: str
    folded: bool
    choices: list[str]


_ABOUT: dict[str, Control] = {"description": "text"}
_OF_AN_AGENT: dict[str, Control] = {
    "instruction": "instruction", "tools": "tools", "output_key": "line", **_ABOUT, "model": "line",
    "include_contents": "choice",
}  # fmt: skip
_OF_A_LOOP: dict[str, Control] = {"max_iterations": "number", "until": "yaml", **_ABOUT}
_OF_A_FUNCTION: dict[str, Control] = {"func_code": "line", "retry_config": "yaml"}
_OF_A_QUESTION: dict[str, Control] = {"question": "instruction", "options": "words", **_ABOUT}
_OF_A_CHOICE: dict[str, Control] = {"key": "line", "options": "words", **_ABOUT}
KINDS = (
    Kind(LlmAgent, "LlmAgent", "agent", "●", holds=False, wraps=False, shown=_OF_AN_AGENT),
    Kind(SequentialAgent, "SequentialAgent", "in order", "→", holds=True, wraps=True, shown=_ABOUT),
    Kind(LoopAgent, "LoopAgent", "loop", "↻", holds=True, wraps=True, shown=_OF_A_LOOP),
    Kind(ParallelAgent, "ParallelAgent", "side by side", "⇉", holds=True, wraps=True, shown=_ABOUT),
    Kind(RoutedAgent, "agents.RoutedAgent", "router", "⑂", holds=True, wraps=False, shown={"router": "yaml", **_ABOUT}),
    Kind(Workflow, "Workflow", "graph", "⬡", holds=True, wraps=True, shown={"edges": "edges", **_ABOUT}),
    Kind(JoinNode, "JoinNode", "join", "⋈", holds=False, wraps=False, shown=_ABOUT, node=True),
    Kind(FunctionNode, "FunctionNode", "function", "ƒ", holds=False, wraps=False, shown=_OF_A_FUNCTION, node=True),
    Kind(
        QuestionNode, "agents.teams.QuestionNode", "question", "?", holds=False, wraps=False, shown=_OF_A_QUESTION, node=True
    ),
    Kind(ChoiceNode, "agents.teams.ChoiceNode", "choice", "≷", holds=False, wraps=False, shown=_OF_A_CHOICE, node=True),
)
_HELP = {
    "instruction": "What the agent is to do. {key} shows the value of a state key.",
    "tools": "What its model may call.",
    "model": "The model that answers for this agent. Empty: that of an agent above it, else the run's.",
    "max_iterations": "Most passes. Empty: no limit.",
    "until": "What ends the loop, e.g. {agent: critic, contains: No major issues}; or a list of which one is enough.",
    "router": "A list of rules, e.g. - {contains: invoice, to: billing}. The first that holds decides.",
    "edges": "What is run after what. An edge with a route is followed if the node before it gave that route.",
    "func_code": "A function of tools.py. Its parameter node_input is what the node before it gave; others are state keys.",
    "retry_config": "How often it is tried again if it fails, e.g. {max_attempts: 3, initial_delay: 1}.",
    "question": "What the user is asked. {key} shows the value of a state key. The answer is the route.",
    "options": "Words with commas between them. Each is a route.",
    "key": "Which value decides, where the input has several. Empty: the input itself.",
}
_LABELS = {"func_code": "Function", "retry_config": "Retry"}
"""Instead of what the docstring says to authors in Python."""
_RUNTIME = ("agents.", "google.adk.agents.")
_STRUCTURE = {"name", "sub_agents", "parent_agent"}
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def kind_of(written: str) -> Kind | None:
    """The kind that a file names, with or without a module of the runtime; None for a class of the team's own."""
    bare = written.rpartition(".")[2] if written.startswith(_RUNTIME) else written
    bare = "LlmAgent" if bare == "Agent" else bare
    return next((kind for kind in KINDS if kind.agent_class.__name__ == bare), None)


@cache
def fields_of(kind: Kind) -> tuple[Field, ...]:
    """The fields of a kind: those in sight, then the folded ones."""
    about, made = _described(kind.agent_class), kind.agent_class.model_fields
    taken = inspect.signature(kind.agent_class).parameters
    folded: dict[str, Control] = {
        name: control
        for name, field in made.items()
        if name not in {*kind.shown, *_STRUCTURE} and name in taken and (control := _simple(name, field.annotation))
    }
    return tuple(
        Field(
            name=name,
            label=_LABELS.get(name) or name.replace("_", " ").capitalize(),
            kind=control,
            help=_HELP.get(name) or " ".join(about.get(name, "").replace("`", "").split()),
            folded=name in folded,
            choices=[str(choice) for choice in get_args(made[name].annotation)] if control == "choice" else [],
        )
        for name, control in (kind.shown | folded).items()
        if name in made or name in _LABELS
    )


def control_of(written: str, field: str) -> Control | None:
    """The control of a field of the class that a file names; None if its form does not have it."""
    kind = kind_of(written)
    return next((one["kind"] for one in fields_of(kind) if one["name"] == field), None) if kind else None


def as_data(models: list[str], functions: list[str]) -> tuple[dict[str, Any], ...]:
    """All kinds as the browser takes them.

    Args:
        models: The names that are offered for the field `model`.
        functions: Those that are offered for a function node.
    """
    offered = {"model": models, "func_code": functions}
    return tuple(
        {
            "name": kind.written,
            "class": kind.agent_class.__name__,
            "label": kind.label,
            "sign": kind.sign,
            "holds": kind.holds,
            "wraps": kind.wraps,
            "node": kind.node,
            "fields": [{**field, "choices": offered.get(field["name"], field["choices"])} for field in fields_of(kind)],
        }
        for kind in KINDS
    )


def _simple(name: str, annotation: Any) -> Control | None:
    """The control of a field that a file can say in one value; None for any other."""
    types = set(get_args(annotation) or [annotation]) - {NoneType}
    if types == {bool}:
        return "switch"
    if types <= {int, float}:
        return "number"
    return "instruction" if str in types and name.endswith("_instruction") else None


def _described(agent_class: type[BaseAgent]) -> dict[str, str]:
    """What the docstrings of a class and its bases say of its fields."""
    docs = (inspect.getdoc(one) or "" for one in reversed(agent_class.__mro__) if issubclass(one, BaseAgent))
    return {name: text for doc in docs for name, text in _ATTRIBUTE.findall(doc)}
