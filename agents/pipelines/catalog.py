"""The catalog of pipelines: those that come with the playground, and user packages below a folder.

A built-in one is imported when it is asked for. User packages are imported at the first request, since only importing
tells whether a package is a pipeline. One that cannot be loaded is listed in `broken` and does not affect the others.
"""

from __future__ import annotations

import difflib
import threading
import time
from pathlib import Path

from agents.errors import PipelineLoadError, PipelineNotFoundError, known
from agents.pipeline import Pipeline
from agents.pipelines.loading import failure_text, load_built_in
from agents.pipelines.package_import import PATIENCE, PackageImport, import_all
from agents.storage.paths import folder_problem

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
"""In the order in which they are shown; the first is selected when the playground opens."""


class Catalog:
    """The pipelines that can be run. May be used from several threads.

    Args:
        agents_dir: A folder with user packages, each with a `root_agent` in its `agent.py` or `__init__.py`.
        patience: Seconds after which the import of a user package is reported as hanging. If it ends later, the pipeline
            can be used from then on.
        wait: Most seconds that a call waits for the imports of user packages, counted from their start; by default until
            each has ended or is reported as hanging.

    Raises:
        PipelineNotFoundError: There is no such folder, or it cannot be read.
    """

    def __init__(
        self, agents_dir: Path | None = None, *, patience: float = PATIENCE, wait: float = threading.TIMEOUT_MAX
    ) -> None:
        self._candidates = [] if agents_dir is None else _candidates(agents_dir)
        self._agents_dir = agents_dir
        self._patience = patience
        self._wait = wait
        self._lock = threading.RLock()
        self._loaded: dict[str, Pipeline] = {}
        self._broken: dict[str, str] = {}
        self._imports: dict[str, PackageImport] | None = None
        self._began = 0.0

    def names(self) -> list[str]:
        """Built-in pipelines in their order, then user packages by name; those that cannot be used now left out."""
        own = [one.name for one in self._awaited() if one.pipeline is not None]
        with self._lock:
            return [name for name in (*BUILT_IN, *own) if name not in self._broken]

    @property
    def broken(self) -> dict[str, str]:
        """Name → traceback or reason, for each package that was tried and cannot be loaded; the last line says why.

        A package that may not have its name is listed with its folder's name before it. One whose import hangs is listed
        until the import ends.
        """
        found = {one.name: problem for one in self._awaited() if (problem := one.problem) is not None}
        with self._lock:
            return {**self._broken, **found}

    @property
    def importing(self) -> list[str]:
        """Names of user packages whose import has not ended, including those that are reported as hanging."""
        return [one.name for one in self._awaited() if not one.done.is_set()]

    def get(self, name: str) -> Pipeline:
        """The pipeline of that name.

        Raises:
            PipelineNotFoundError: There is none; the message says which there are.
            PipelineLoadError: It cannot be loaded; the message has its traceback.
        """
        if (loaded := self._loaded.get(name)) is not None:
            return loaded
        if name in BUILT_IN:
            return self._built_in(name)
        if (one := self._own().get(name)) is not None:
            self._await(one)
            if one.pipeline is not None:
                return self._loaded.setdefault(name, one.pipeline)
            if (problem := one.problem) is not None:
                raise _load_error(name, problem)
            if not one.done.is_set():
                raise PipelineLoadError(f"The pipeline {name!r} is still being imported. Try again in a few seconds.")
        if name in self._broken:
            raise _load_error(name, self._broken[name])
        names = self.names()
        close = difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise PipelineNotFoundError(f"There is no pipeline {name!r}.{hint} There are: {known(names)}.")

    def _built_in(self, name: str) -> Pipeline:
        with self._lock:
            if name not in self._loaded and name not in self._broken:
                try:
                    self._loaded[name] = load_built_in(name)
                except Exception as error:  # noqa: BLE001  one broken pipeline harms no other
                    self._broken[name] = failure_text(error, Path(__file__).parent / name)
            if name in self._broken:
                raise _load_error(name, self._broken[name])
            return self._loaded[name]

    def _own(self) -> dict[str, PackageImport]:
        """The imports of user packages, started at the first call; waits for none."""
        with self._lock:
            if self._imports is None:
                self._imports = {}
                if self._agents_dir is not None:
                    self._imports = {one.name: one for one in self._begin(self._agents_dir)}
                self._began = time.monotonic()
            return self._imports

    def _begin(self, agents_dir: Path) -> list[PackageImport]:
        good: list[Path] = []
        for folder in self._candidates:
            if (problem := _name_problem(folder.name)) is None:
                good.append(folder)
            else:
                self._broken[f"{agents_dir.resolve().name}/{folder.name}"] = problem
        return import_all(good, agents_dir, patience=self._patience)

    def _awaited(self) -> list[PackageImport]:
        imports = list(self._own().values())
        for one in imports:
            self._await(one)
        return imports

    def _await(self, one: PackageImport) -> None:
        one.settled.wait(min(threading.TIMEOUT_MAX, max(0.0, self._began + self._wait - time.monotonic())))


def _load_error(name: str, problem: str) -> PipelineLoadError:
    return PipelineLoadError(
        f"The pipeline {name!r} cannot be loaded. Change its code and start the playground again.\n{problem}"
    )


def _candidates(agents_dir: Path) -> list[Path]:
    """Folders that may be pipelines, by name; hidden ones and caches are not."""
    if problem := folder_problem(agents_dir):
        raise PipelineNotFoundError(
            f"There is no folder {agents_dir} to take agents from: {problem} It is to hold your packages, each with a "
            "root_agent in its agent.py."
        )
    return [
        folder
        for folder in sorted(agents_dir.iterdir())
        if not folder.name.startswith((".", "__")) and _may_be_package(folder)
    ]


def _may_be_package(folder: Path) -> bool:
    try:
        return folder.is_dir() and ((folder / "agent.py").is_file() or (folder / "__init__.py").is_file())
    except OSError:  # it cannot be read: importing it will say so
        return True


def _name_problem(name: str) -> str | None:
    if name in BUILT_IN:
        return f"A pipeline called {name!r} comes with the playground. Give the folder another name."
    if not name.isidentifier():
        return f"{name!r} cannot name a pipeline: use letters, digits and underscores, not starting with a digit."
    return None
