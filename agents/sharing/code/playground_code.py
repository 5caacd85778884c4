"""A session as a Python file on this project's API."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agents.agent import BaseAgent
from agents.models.replay.spec import REPLAY_PREFIX
from agents.models.simulated.spec import SIMULATED
from agents.models.you.spec import YOU
from agents.pipeline import Pipeline
from agents.sharing.code.places import home_of
from agents.sharing.code.playground_tree import PlaygroundTree
from agents.sharing.code.python import literals
from agents.sharing.code.python.code_file import CodeFile
from agents.sharing.code.recorded_session import RecordedSession, Turn
from agents.sharing.code.turns import TurnWriter, assembled

_USUAL_CALLS = 500
_SIMULATED_MODULE = "agents.models.simulated.model"
_ABOUT = '''"""The pipeline {pipeline} and one of its sessions, on the API of the Agent Playground.

{how}
"""'''
_INSTALLED = "Run it in a checkout of the playground, or where its package multi-agent-playground is installed."
_ON_PATH = _INSTALLED + "\nThe folder with the package {package} has to be on PYTHONPATH: the folder that --agents names."


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
    how = _INSTALLED if package == "agents" else _ON_PATH.format(package=package)
    about = _ABOUT.format(pipeline=pipeline.name, how=how)
    return assembled(file, about, [*recorded.notes, *tree.notes], turns.main(pipeline.name, recorded.session_id))


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
