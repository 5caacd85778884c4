"""The pipeline contract: an agent tree that can be run, and the card that explains it.

A pipeline is a package with `agent.py` exposing `root_agent`, and optionally `card.py` exposing `card`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from agents.agent import BaseAgent
from agents.runtime.fault import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A setting of a pipeline that the user may change between two messages or during a run.

    Its value is in state, so agents read it like any other, and changing it is an event in the log.

    Attributes:
        key: The state key, with its scope, e.g. "planning" or "app:variant".
        label: A few words, e.g. "Planning mode".
        kind: "switch" (true or false), "choice" (one of `choices`), "number", or "playbook": the name of one, "" for the
            app's own.
        default: The value in a new session.
        choices: For "choice".
        minimum: For "number".
        maximum: For "number".
        zero: For "number", what 0 means where it is not simply none, e.g. "no limit".
        help: One sentence: what changes with it.
    """

    key: str
    label: str
    kind: Literal["switch", "choice", "number", "playbook"]
    default: bool | str | float
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    zero: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """A fault to inject with one click, and what it shows.

    Attributes:
        title: What is done, e.g. "The primary model is down".
        look_for: One or two sentences: what then happens, and why the pattern is built that way.
        faults: What goes wrong.
        message: What is sent; None for the first sample.
        settings: Values of controls, by key.
    """

    title: str
    look_for: str
    faults: tuple[Fault, ...] = ()
    message: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Something to look for in a run. The session view ticks it off when the log shows it.

    Attributes:
        text: One short sentence: what happens, e.g. "The critic asks for another pass."
        kind: The kind of log entry that shows it: "event" or a kind of trace record, see `agents.log.trace_kinds`.
        body: What the entry's body must contain, as nested mappings down to values. Of a list, in the body or here, one
            match is enough. An empty mapping stands for any value that is there.
        count: The number of such entries after which it counts as seen.
        sample: The number of the sample that shows it with the simulated model, from 1.
        break_title: Instead of the sample: the title of the break that shows it.
        needs: What that takes besides the simulated model, e.g. "an empty playbook".
    """

    text: str
    kind: str
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    count: int = 1
    sample: int = 1
    break_title: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A place in a pipeline's source that is worth a look.

    Attributes:
        text: Text that stands in exactly one line of the file; that line is marked.
        note: One sentence: why it matters.
        file: Name of a file in the pipeline's folder.
    """

    text: str
    note: str
    file: str = "agent.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a user reads before running a pipeline, and what makes it runnable with one click.

    Attributes:
        title: A few words, e.g. "Iterative writing".
        pattern: The agent pattern that it teaches, e.g. "Iterative refinement".
        summary: One sentence: what happens when it is run.
        lesson: What, when, when not, what to look for; Markdown, two minutes to read.
        samples: Messages to run it with; the first is the one-click one.
        ends_when: One sentence.
        message_key: State key that the message is also written to at the start of a run, if any.
        start_state: State that a new session begins with.
        simulation: For the `simulated` model: agent name → function from a `SimulatedRequest` to a reply.
        controls: Settings that the user may change.
        breaks: Faults that the user may inject.
        observations: What to look for in a run; without any, the session view has no Lesson tab.
        highlights: Places in the source to look at.
        max_llm_calls: Model calls that a run may make; None for the usual limit, as for the next three.
        max_events: Events that it may store.
        max_bytes: Bytes that it may store and stream.
        max_seconds: Seconds that it may take.
    """

    title: str
    pattern: str
    summary: str
    lesson: str
    samples: tuple[str, ...]
    ends_when: str
    message_key: str | None = None
    start_state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    simulation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    controls: tuple[Control, ...] = ()
    breaks: tuple[Break, ...] = ()
    observations: tuple[Observation, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    max_llm_calls: int | None = None
    max_events: int | None = None
    max_bytes: int | None = None
    max_seconds: float | None = None

    @property
    def limits(self) -> dict[str, float]:
        """The limits of its runs that are not the usual ones, by their names in `RunConfig`."""
        limits = {
            "max_llm_calls": self.max_llm_calls,
            "max_events": self.max_events,
            "max_bytes": self.max_bytes,
            "max_seconds": self.max_seconds,
        }
        return {name: limit for name, limit in limits.items() if limit is not None}

    @property
    def first_state(self) -> dict[str, Any]:
        """The state of a new session: the controls' defaults, then `start_state`."""
        return {**{control.key: control.default for control in self.controls}, **self.start_state}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A runnable agent tree.

    Attributes:
        name: The package's name; also the `app_name` of its sessions.
        root_agent: The tree.
        card: How it is presented.
        folder: Where its source is.
        sources: The Python files that were loaded, by name in the folder: their text as it runs, whatever is there now.
        revision: The revision of a team that was loaded; 0 for any other pipeline.
        plugins: The plugins of its `App`, as `Runner` takes them.
        events_compaction_config: When that has the events of a session summed up.
        unused: Settings of its `App` that have no effect here.
    """

    name: str
    root_agent: BaseAgent
    card: Card
    folder: Path
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    revision: int = 0
    plugins: Sequence[Any] = ()
    events_compaction_config: Any = None
    unused: tuple[str, ...] = ()

    @property
    def of_app(self) -> dict[str, Any]:
        """The arguments of a `Runner` that its `App` gives."""
        return {"plugins": self.plugins, "events_compaction_config": self.events_compaction_config}

    @property
    def tree(self) -> dict[str, Any]:
        """Its agent tree as JSON, see `describe_tree`, with the team's `revision` if it is a team."""
        return describe_tree(self.root_agent) | ({"revision": self.revision} if self.revision else {})


def all_agents(root: BaseAgent) -> list[BaseAgent]:
    """The agents of a tree in its order, those that are called as tools included, each once."""
    found: dict[BaseAgent, None] = {}
    waiting = [root]
    while waiting:
        if (agent := waiting.pop()) not in found:
            found[agent] = None
            waiting += reversed([*agent.sub_agents, *called_by(agent)])
    return list(found)


def called_by(agent: BaseAgent) -> list[BaseAgent]:
    """The agents that an agent's model calls as tools."""
    called = (getattr(tool, "agent", None) for tool in getattr(agent, "tools", ()))
    return [one for one in called if isinstance(one, BaseAgent)]


def describe_tree(agent: BaseAgent) -> dict[str, Any]:
    """An agent tree as JSON: name, type, description, children, tools' names, and what its kind adds.

    That is a loop's `max_iterations`, the state key of an agent's answer (`output_key`), that of the right answer to a
    message (`truth_key`), a router's `routes` (key → child's name), a graph's `edges` (node's name → next node's name and
    routes; those from START have ""), the agents that a model may transfer to (`transfers`), and the trees of agents that
    are used as tools (`agent_tools`: tool name → tree).
    """
    tools: list[Any] = getattr(agent, "tools", [])
    tree: dict[str, Any] = {
        "name": agent.name,
        "type": type(agent).__name__,
        "kind": kind_of(agent),
        "description": agent.description,
        "tools": [name for tool in tools for name in getattr(tool, "shown_names", [_name_of(tool)])],
        "children": [describe_tree(child) for child in agent.sub_agents],
    }
    if "max_iterations" in type(agent).model_fields:
        tree["max_iterations"] = getattr(agent, "max_iterations")
    if output_key := getattr(agent, "output_key", None):
        tree["output_key"] = output_key
    if isinstance(key := getattr(agent, "truth_key", None), str):
        tree["truth_key"] = key
    if routes := getattr(agent, "routes", None):
        tree["routes"] = {key: child.name for key, child in routes.items()}
    if tree["kind"] == "Workflow":
        after: Mapping[str, list[tuple[str, tuple[Any, ...]]]] = getattr(agent, "plan").after
        tree["edges"] = {
            "" if source == "__START__" else source: [[target, list(routes)] for target, routes in edges]
            for source, edges in after.items()
        }
    if targets := getattr(agent, "transfer_targets", None):
        tree["transfers"] = [target.name for target in targets]
    if called := {_name_of(tool): tool.agent for tool in tools if isinstance(getattr(tool, "agent", None), BaseAgent)}:
        tree["agent_tools"] = {name: describe_tree(inner) for name, inner in called.items()}
    return tree


def truth_key(agent: BaseAgent) -> str | None:
    """The state key that a tree takes the right answer to a message from; None if it learns from none.

    It is the attribute `truth_key` of an agent, the first in the tree that has one. That agent sees to it that the value
    holds for one message only.
    """
    own = getattr(agent, "truth_key", None)
    if isinstance(own, str) and own:
        return own
    return next((key for child in agent.sub_agents if (key := truth_key(child))), None)


class Answering(NamedTuple):
    """Who answers the user.

    Attributes:
        agents: Names of the agents whose text is the answer; of several texts the last.
        speaks_once: Whether there is one text at most, apart from what is said between tool calls.
        in_words: Whether their texts are the answer as it is; else it is the field `final_answer` of what they say, or JSON
            of a schema of their own.
    """

    agents: frozenset[str]
    speaks_once: bool
    in_words: bool


def answering(root: BaseAgent) -> Answering:
    """Who answers in a tree.

    Of a sequence or a loop that is the last agent with a model, and whoever writes to the same state key; of a router and of
    parallel agents all are. An agent whose model may transfer answers with those below it.

    An agent with the output field `final_answer` is the one that answers, wherever it stands: those after it work on what
    it said.
    """
    models = [agent for agent in all_agents(root) if "output_schema" in type(agent).model_fields]
    final = [agent for agent in models if _has_final_answer(getattr(agent, "output_schema"))]
    if final:
        return Answering(frozenset({final[0].name}), speaks_once=True, in_words=False)
    last = _last_with_models(root)
    keys = {key for agent in last if (key := getattr(agent, "output_key", None))}
    same = [agent for agent in models if agent not in last and getattr(agent, "output_key") in keys]
    return Answering(
        frozenset(agent.name for agent in (*last, *same)),
        speaks_once=not same and not _is_repeated(root, last),
        in_words=not any(getattr(agent, "output_schema") for agent in (*last, *same)),
    )


def _has_final_answer(schema: Any) -> bool:
    return "final_answer" in getattr(schema, "model_fields", {})


def _last_with_models(agent: BaseAgent) -> list[BaseAgent]:
    if kind_of(agent) in {"SequentialAgent", "LoopAgent"}:
        found: list[BaseAgent] = []
        for child in reversed(agent.sub_agents):
            found = found or _last_with_models(child)
        return found
    below = [found for child in agent.sub_agents for found in _last_with_models(child)]
    return [agent, *below] if "output_schema" in type(agent).model_fields else below


def _is_repeated(root: BaseAgent, agents: Sequence[BaseAgent]) -> bool:
    """Whether one of the agents may have several turns, or several have one each."""
    repeats = {"LoopAgent", "ParallelAgent", "Workflow"}
    for agent in agents:
        above = agent
        while above is not root and above.parent_agent is not None:
            above = above.parent_agent
            if kind_of(above) in repeats:
                return True
    return False


def kind_of(agent: BaseAgent) -> str:
    """The name of an agent's nearest class that is the runtime's own, e.g. "LoopAgent"; others are subclasses of it."""
    return next((c.__name__ for c in type(agent).__mro__ if _is_the_runtimes(c.__module__)), "BaseAgent")


_ASKS_NO_MODEL = frozenset({"SequentialAgent", "LoopAgent", "ParallelAgent", "Workflow", "JoinNode"})


def asks_run_model(agent: BaseAgent, chosen: Container[str] = (), *, inherited: bool = False) -> bool:
    """Whether an agent of a tree may ask the model that is chosen for the run, because it has none of its own.

    Args:
        agent: The top of the tree.
        chosen: Names of agents for which the run has a model of their own.
        inherited: Whether an agent above it names a model.
    """
    kind, own = kind_of(agent), getattr(agent, "model", None)
    inherited = inherited or bool(own)
    if type(agent).__name__ != kind or kind not in {*_ASKS_NO_MODEL, "LlmAgent"}:
        return True  # code of its own may ask any model
    if hasattr(own, "routes") or (kind == "LlmAgent" and not (inherited or agent.name in chosen)):
        return True  # a `RoutedLlm` may have the run's model among its own
    return any(asks_run_model(child, chosen, inherited=inherited) for child in agent.sub_agents) or any(
        asks_run_model(one, chosen) for one in called_by(agent)
    )


def _is_the_runtimes(module: str) -> bool:
    return module.startswith("agents.") and not module.startswith(("agents.pipelines.", "agents.ace."))


def _name_of(tool: Any) -> str:
    """What a model calls a tool by; of a partial, the function's name, and of any other object, its class's."""
    while isinstance(tool, partial):
        tool = cast("partial[Any]", tool).func
    return getattr(tool, "name", None) or getattr(tool, "__name__", None) or type(tool).__name__
