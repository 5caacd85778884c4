"""Finds pipelines: those that come with the playground, and a person's own below a folder.

A built-in one is imported when it is asked for; a person's are when anything is first asked of the catalog, since
only importing tells whether a package is a pipeline. One that cannot be loaded is set down in `broken` and harms no
other. Knows no session and no model.
"""

from __future__ import annotations

import difflib
import threading
from pathlib import Path

from agents.errors import PipelineLoadError, PipelineNotFoundError, known
from agents.pipeline import Pipeline
from agents.pipelines.loading import BROKEN, failure_text, load_built_in, load_from

BUILT_IN = (
    "iterative_writing",
    "banana_painter",
    "status_poller",
    "code_refinement",
    "fact_check",
    "data_pipeline",
    "research_fanout",
    "report_writer",
    "help_desk",
    "tool_loop",
    "planning_mode",
    "approval",
    "routed_ab",
    "routed_fallback",
    "complexity_router",
    "routed_llm",
    "ace",
)
"""In the order in which they are shown; the first is there when the playground is opened."""


class Catalog:
    """The pipelines that can be run. May be used from several threads.

    Args:
        agents_dir: A folder with packages of a person's own, each with a `root_agent` in its `agent.py` or `__init__.py`.

    Raises:
        PipelineNotFoundError: There is no such folder.
    """

    def __init__(self, agents_dir: Path | None = None) -> None:
        if agents_dir is not None and not agents_dir.is_dir():
            raise PipelineNotFoundError(
                f"There is no folder {agents_dir} to take agents from. Name the folder that holds your packages, each "
                "with a root_agent in its agent.py."
            )
        self._agents_dir = agents_dir
        self._lock = threading.RLock()
        self._loaded: dict[str, Pipeline] = {}
        self._own: list[str] | None = None
        self._broken: dict[str, str] = {}

    def names(self) -> list[str]:
        """Built-in pipelines in their order, then a person's own by name; broken ones left out."""
        with self._lock:
            return [name for name in (*BUILT_IN, *self._own_names()) if name not in self._broken]

    @property
    def broken(self) -> dict[str, str]:
        """Name → traceback or reason, for each package that was tried and cannot be loaded; the last line says why.

        A package that may not have its name is listed with its folder's name before it.
        """
        with self._lock:
            self._own_names()
            return dict(self._broken)

    def get(self, name: str) -> Pipeline:
        """The pipeline of that name.

        Raises:
            PipelineNotFoundError: There is none; the message says which there are.
            PipelineLoadError: It cannot be loaded; the message has its traceback.
        """
        with self._lock:
            own = [] if name in self._loaded or name in BUILT_IN else self._own_names()
            if name not in self._loaded and name in BUILT_IN and name not in self._broken:
                self._load_built_in(name)
            if name in self._loaded:
                return self._loaded[name]
            if name in self._broken:
                raise PipelineLoadError(
                    f"The pipeline {name!r} cannot be loaded. Mend it and start the playground again.\n{self._broken[name]}"
                )
            names = [known_name for known_name in (*BUILT_IN, *own) if known_name not in self._broken]
            close = difflib.get_close_matches(name, names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise PipelineNotFoundError(f"There is no pipeline {name!r}.{hint} There are: {known(names)}.")

    def _load_built_in(self, name: str) -> None:
        try:
            self._loaded[name] = load_built_in(name)
        except BROKEN as error:
            self._broken[name] = failure_text(error, Path(__file__).parent / name)

    def _own_names(self) -> list[str]:
        if self._own is None:
            self._own = []
            if self._agents_dir is not None:
                for folder in _candidates(self._agents_dir):
                    self._load_own(folder, self._agents_dir)
        return self._own

    def _load_own(self, folder: Path, agents_dir: Path) -> None:
        place = f"{agents_dir.resolve().name}/{folder.name}"
        if (problem := _name_problem(folder.name)) is not None:
            self._broken[place] = problem
            return
        try:
            pipeline = load_from(folder, agents_dir)
        except BROKEN as error:
            self._broken[folder.name] = failure_text(error, folder)
            return
        if pipeline is not None:
            self._loaded[folder.name] = pipeline
            self._own = [*(self._own or []), folder.name]


def _candidates(agents_dir: Path) -> list[Path]:
    """Folders that may be pipelines, by name; hidden ones and caches are not."""
    return sorted(
        folder
        for folder in agents_dir.iterdir()
        if not folder.name.startswith((".", "__"))
        and folder.is_dir()
        and ((folder / "agent.py").is_file() or (folder / "__init__.py").is_file())
    )


def _name_problem(name: str) -> str | None:
    if name in BUILT_IN:
        return f"A pipeline called {name!r} comes with the playground. Give the folder another name."
    if not name.isidentifier():
        return f"{name!r} cannot name a pipeline: use letters, digits and underscores, not starting with a digit."
    return None
