"""Agents on this project's own API. What cannot be written is imported from the pipeline's package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.agent import BaseAgent
from agents.flows.routing import ChosenModel, RoutedLlm
from agents.model import BaseLlm
from agents.pipeline import Pipeline
from agents.sharing.code.places import PRIVATE, home_of, modules_of, place_of
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CannotWriteError, CodeFile
from agents.sharing.code.tree import ROOT, TreeWriter, all_agents

_BUILT = "pipeline"
_SIMULATED = "agents.models.simulated.model"


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
            for name, value in list(vars(module).items()):
                if isinstance(value, dict) and simulation and value == simulation:
                    return self.file.imported(module.__name__, name)
        raise CannotWriteError("A simulated model has a simulation that no module of the package has.")

    def model(self, agent: BaseAgent, model: Any) -> str | None:
        """The agent's own model."""
        return literals.quoted(model) if isinstance(model, str) else self._model_of(model)

    def _model_of(self, model: BaseLlm) -> str:
        if type(model).__module__ == _SIMULATED:
            given = [f"model={literals.quoted(model.model)}", f"simulation={self._held(getattr(model, 'simulation'))}"]
            return literals.call(self.file.imported(_SIMULATED, type(model).__name__), given)
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
