"""A session as a Python file on this project's API."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from agents.adk.names import ADK
from agents.agent import BaseAgent
from agents.flows.routing import ChosenModel, RoutedLlm
from agents.model import BaseLlm
from agents.models.replay.spec import REPLAY_PREFIX
from agents.models.simulated.spec import SIMULATED
from agents.models.you.spec import YOU
from agents.pipeline import Pipeline, all_agents
from agents.pipelines.loading.sources.live_source import import_live_package, loaded
from agents.sharing.code.places import PRIVATE, app_of, home_of, modules_of, place_of
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile
from agents.sharing.code.recorded_session import RecordedSession, Turn
from agents.sharing.code.tree import ROOT, TreeWriter
from agents.sharing.code.turns import TurnWriter, assembled

_USUAL_CALLS = 500
_SIMULATED_MODULE = "agents.models.simulated.model"
_ABOUT = '''"""The pipeline {pipeline} and one of its sessions, on the API of the Agent Playground.

{how}
"""'''
_INSTALLED = "Run it in a checkout of the playground, or where its package multi-agent-playground is installed."
_ON_PATH = _INSTALLED + "\nThe folder with the package {package} has to be on PYTHONPATH: the folder that --agents names."
_BUILT = "pipeline"


def playground_code(pipeline: Pipeline, recorded: RecordedSession, *, root: BaseAgent | None = None) -> str:
    """The file.

    Args:
        pipeline: The pipeline.
        recorded: What the session was run with.
        root: The tree that it ran, where that is not the pipeline's: in a fork with changed instructions.

    Raises:
        CannotWriteError: No file can import the pipeline's package.
    """
    file = CodeFile()
    home = home_of(pipeline)
    tree = PlaygroundTree(file, pipeline)
    for name in ("asyncio", "uuid"):
        file.imported(name)
    turns = _Turns(file, pipeline, recorded.turns)
    tree.write_root(root or pipeline.root_agent)
    turns.write(recorded.state)
    if recorded.began_with is not None and recorded.playbook is not None:
        turns.write_playbook(recorded.began_with[0], recorded.playbook)
    package = home.partition(".")[0]
    sources = loaded(module.__name__ for module in modules_of(home))
    if any(ADK in source.imports for source in sources.values()):
        file.live = frozenset(name.partition(".")[0] for name in sources)
        begin = file.imported(import_live_package.__module__, import_live_package.__name__)
        file.before_live = f"{begin}({literals.quoted(package)})  # google.adk in its code is this runtime"
    how = _INSTALLED if package == "agents" else _ON_PATH.format(package=package)
    about = _ABOUT.format(pipeline=pipeline.name, how=how)
    app = app_of(pipeline, home)
    settings = {name: f"{file.imported(*app)}.{name}" for name, value in pipeline.of_app.items() if value} if app else {}
    main = turns.main(pipeline.name, recorded.session_id, settings=settings)
    return assembled(file, about, [*recorded.notes, *tree.notes], main)


class _Turns(TurnWriter):
    """Writes turns with run configurations of this project."""

    def __init__(self, file: CodeFile, pipeline: Pipeline, turns: Sequence[Turn]) -> None:
        super().__init__(file, turns)
        self._pipeline = pipeline
        for name in ("Event", "InMemoryRunner", "RunConfig"):
            file.imported("agents", name)
        self._models: dict[str, str] = {}
        for turn in turns:
            for name in (turn.model, *turn.agent_models.values()):
                self._model(name)

    def config(self, turn: Turn) -> str:
        """A turn's run configuration."""
        arguments = [f"model={self._model(turn.model)}"]
        if turn.agent_models:
            pairs = [(literals.quoted(agent), self._model(name)) for agent, name in turn.agent_models.items()]
            arguments.append(f"agent_models={literals.mapping(pairs)}")
        if turn.max_llm_calls != _USUAL_CALLS:
            arguments.append(f"max_llm_calls={turn.max_llm_calls}")
        if turn.faults:
            fault = self.file.imported("agents", "Fault")
            written = [f"{fault}.parse({literals.quoted(str(one))})" for one in turn.faults]
            arguments.append(f"faults={literals.tupled(written)}")
        return literals.call("RunConfig", arguments)

    def _model(self, name: str) -> str:
        """The constant with a model; the first is called MODEL."""
        key = SIMULATED if name.startswith(REPLAY_PREFIX) else name
        if key not in self._models:
            local = self._models[key] = self.file.claim("MODEL", f"model {key}")
            if key == SIMULATED:
                model = self.file.imported(_SIMULATED_MODULE, "SimulatedLlm")
                given = [f"simulation={self._simulation()}", "words_per_second=0"]
                text = f'{literals.call(model, given)}  # or a name, e.g. "gemini-flash-latest"'
            elif key == YOU:
                you = self.file.imported("agents.models.you.model", "YouLlm")
                text = literals.call(you, [f"usual={self._model(SIMULATED)}"])
            else:
                text = literals.quoted(key)
            self.file.statements.append(f"{local} = {text}")
        return self._models[key]

    def _simulation(self) -> str:
        simulation, home = self._pipeline.card.simulation, home_of(self._pipeline)
        package = home.removesuffix(".agent")
        for module in (f"{package}.card", package):
            if getattr(vars(sys.modules.get(module, sys)).get("card"), "simulation", None) is simulation:
                return f"{self.file.imported(module, 'card')}.simulation"
        return self.file.imported(home, "SIMULATION") if simulation else "{}"


class PlaygroundTree(TreeWriter):
    """Writes agents as `from agents import …` has them.

    Attributes:
        notes: Sentences on what is imported as it is, and why.

    Args:
        file: The file.
        pipeline: The pipeline, from whose package functions, classes and whole agents are imported.
    """

    def __init__(self, file: CodeFile, pipeline: Pipeline) -> None:
        super().__init__(file)
        self.notes: list[str] = []
        self._pipeline = pipeline
        self._home = home_of(pipeline)
        names = [agent.name for agent in all_agents(pipeline.root_agent)]
        self._unique = {name for name in names if names.count(name) == 1}

    def write_root(self, root: BaseAgent) -> None:
        """Writes a tree; one that cannot be written is imported whole."""
        mark = self.file.mark()
        try:
            super().write_root(root)
        except CannotWriteError as error:
            self.file.undo(mark)
            self.notes[:] = [f"The agents are imported as they are: {error}"]
            self.file.imported(self._home, ROOT)

    def agent(self, agent: BaseAgent) -> str:
        """Writes an agent; one that cannot be written is a copy of the package's own."""
        mark, variables, written = self.file.mark(), dict(self._variables), set(self._written)
        try:
            return super().agent(agent)
        except CannotWriteError as error:
            root = self._pipeline.root_agent
            if agent.name not in self._unique or agent is root or root.find_agent(agent.name) is None:
                raise
            self.file.undo(mark)
            self._variables, self._written = variables, written
            self.notes.append(f"{agent.name} is a copy of the package's own agent: {error}")
            return self._copy(agent)

    def _copy(self, agent: BaseAgent) -> str:
        built = self.file.imported(self._home, ROOT, wanted=_BUILT)
        variable = self._variable_of(agent)
        name = literals.quoted(agent.name)
        copied = literals.call(f"{built}.find_agent({name}).clone", [f'update={{"name": {name}}}'])
        self.file.statements.append(f"{variable} = {copied}")
        return variable

    def runtime(self, name: str) -> str:
        """A name of the package `agents`."""
        return self.file.imported("agents", name)

    def reference(self, thing: Any) -> str:
        """An import from the module that defines the thing, or from one that holds it."""
        module, path = place_of(thing, self._home)
        if module.startswith(PRIVATE):
            raise CannotWriteError(f"The package of {path} has the name of another module, and no file can import it.")
        first, _, rest = path.partition(".")
        local = self.file.imported(module, first)
        return f"{local}.{rest}" if rest else local

    def _held(self, simulation: Mapping[str, Any]) -> str:
        """A mapping that a module of the package has, e.g. the simulation of a model, which keeps a copy."""
        for module in modules_of(self._home):
            for name, value in vars(module).copy().items():
                if isinstance(value, dict) and simulation and value == simulation:
                    return self.file.imported(module.__name__, name)
        raise CannotWriteError("A simulated model has a simulation that no module of the package has.")

    def model(self, agent: BaseAgent, model: Any) -> str | None:
        """The agent's own model."""
        return literals.quoted(model) if isinstance(model, str) else self._model_of(model)

    def _model_of(self, model: BaseLlm) -> str:
        if type(model).__module__ == _SIMULATED_MODULE:
            given = [f"model={literals.quoted(model.model)}", f"simulation={self._held(getattr(model, 'simulation'))}"]
            return literals.call(self.file.imported(_SIMULATED_MODULE, type(model).__name__), given)
        if type(model) is RoutedLlm:
            routes = model.routes
            written = {key: self._model_of(one) for key, one in routes.items()}
            listed = all(key == one.model for key, one in routes.items())
            pairs = [(literals.quoted(key), text) for key, text in written.items()]
            models = literals.listed(written.values()) if listed else literals.mapping(pairs)
            given = [f"model={literals.quoted(model.model)}", f"models={models}", f"router={self.value(model.router)}"]
            return literals.call(self.runtime("RoutedLlm"), given)
        if type(model) is ChosenModel:
            default = [] if model.default is None else [f"default={self._model_of(model.default)}"]
            return literals.call(self.runtime("ChosenModel"), [f"model={literals.quoted(model.model)}", *default])
        return self.reference(model)
