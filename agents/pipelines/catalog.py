"""The catalog of pipelines: those that come with the playground, user packages below a folder, and the user's teams.

A built-in one is imported when it is asked for. User packages are imported at the first request, since only importing
tells whether a package is a pipeline, and again when their files have changed. One that cannot be loaded is listed in
`broken` and does not affect the others.
"""

from __future__ import annotations

import difflib
import threading
import time
from collections.abc import Callable, Hashable
from copy import copy
from pathlib import Path

from agents.access import User
from agents.errors import PipelineLoadError, PipelineNotFoundError, known
from agents.pipeline import Pipeline
from agents.pipelines.loading.agents_folder import AgentsFolder
from agents.pipelines.loading.failure import LoadFailure, failed, failure_of
from agents.pipelines.loading.loader import load_built_in
from agents.pipelines.loading.package_import import PATIENCE, PackageImport, start_in_turn
from agents.pipelines.loading.sources.seen_file import source_files
from agents.scope import current_scope
from agents.teams.stored.owner import sees_team

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
    "parcel_desk",
    "hike_plan",
    "invitation",
    "routed_ab",
    "routed_fallback",
    "complexity_router",
    "routed_llm",
    "ace",
)
"""In the order in which they are shown; the first is selected when the playground opens."""

CODING_SESSION = "coding_session"
"""The pipeline of imported sessions of coding agents."""
UNLISTED = ("proposal", CODING_SESSION)
"""Those that come with the playground and that nobody chooses: other programs begin their sessions, or they are imported."""


class Catalog:
    """The pipelines that can be run. May be used from several threads; packages are imported in the `Scope` it is made in.

    User packages are looked at whenever they are asked for. One whose files have changed is imported again: what was taken
    from the catalog before stays as it is.

    Args:
        agents_dir: A folder with user packages, each with a `root_agent` in its `agent.py` or `__init__.py`; or the folder
            of one package, or its `agent.py`.
        teams: The folder of the user's teams, which need not exist; see `agents.teams.TeamStore`.
        patience: Seconds after which the import of a user package is reported as hanging. If it ends later, the pipeline
            can be used from then on.
        wait: Most seconds that a call waits for the imports of user packages, counted from their start; by default until
            each has ended or is reported as hanging.

    Raises:
        PipelineNotFoundError: There is no such folder, or it cannot be read.
    """

    def __init__(
        self,
        agents_dir: Path | None = None,
        *,
        teams: Path | None = None,
        patience: float = PATIENCE,
        wait: float = threading.TIMEOUT_MAX,
    ) -> None:
        self._scope = current_scope()
        self._folder = None if agents_dir is None else AgentsFolder.at(agents_dir)
        self._teams = None if teams is None else AgentsFolder(teams.resolve(), is_package=False)
        self._folders = [folder for folder in (self._folder, self._teams) if folder is not None]
        self._patience = patience
        self._wait = wait
        self._lock = threading.RLock()
        self._loaded: dict[str, Pipeline] = {}
        self._broken: dict[str, LoadFailure] = {}
        self._misnamed: dict[str, LoadFailure] = {}
        self._imports: dict[str, PackageImport] = {}
        self._sees: Callable[[str, Path], bool] = _everything

    def seen_by(self, user: User, *, shared: Callable[[str], bool] = lambda _: False) -> Catalog:
        """The catalog as a user sees it, without the teams of others. Cheap: it shares everything with this one.

        Args:
            user: Who.
            shared: Whether a session of a pipeline, by its name, is shared with them; asked for teams of others alone.
        """
        seen = copy(self)
        seen._sees = lambda name, folder: sees_team(user, folder) or shared(name)
        return seen

    def names(self) -> list[str]:
        """Built-in pipelines in their order, then user packages by name; those that cannot be used now left out."""
        own = [one.name for one in self._awaited() if one.pipeline is not None]
        with self._lock:
            return [name for name in (*BUILT_IN, *own) if name not in self._broken]

    @property
    def broken(self) -> dict[str, LoadFailure]:
        """The packages that were tried and cannot be loaded, by name.

        A package that may not have its name is listed with its folder's name before it. One whose import hangs is listed
        until the import ends.
        """
        found = {one.name: problem for one in self._awaited() if (problem := one.problem) is not None}
        with self._lock:
            return {**self._broken, **self._misnamed, **found}

    @property
    def importing(self) -> list[str]:
        """Names of user packages whose import has not ended, including those that are reported as hanging."""
        return [one.name for one in self._awaited() if not one.done.is_set()]

    @property
    def has_folder(self) -> bool:
        """Whether there is a folder of user packages, or a team: something that may change."""
        return self._folder is not None or (self._teams is not None and bool(self._teams.packages()))

    @property
    def reserved(self) -> list[str]:
        """Names that no team can have: those of built-in pipelines, and of the user packages that are no teams."""
        return [*BUILT_IN, *UNLISTED, *(self._folder.packages() if self._folder is not None else ())]

    def folder_of(self, name: str) -> Path | None:
        """The folder that another process makes its catalog with to have a pipeline; None for a built-in one."""
        return next((folder.path for folder in self._folders if folder.packages(name)), None)

    @property
    def empty_reason(self) -> str:
        """Why the folder of user packages gives no pipeline, and what it needs; "" if it gives one, or a broken one."""
        if self._folder is None:
            return ""
        there = self._folder.packages()
        found = any(one.pipeline or one.problem for one in self._awaited() if one.name in there)
        return "" if found or self._misnamed else self._folder.lacks()

    def revision(self) -> Hashable:
        """What is another value when a user package was changed, added or removed, or its import ended. Waits for none."""
        with self._lock:
            return (*((one, one.settled.is_set(), one.done.is_set()) for one in self._current()), *self._misnamed)

    def get(self, name: str) -> Pipeline:
        """The pipeline of that name, as its files are now.

        Raises:
            PipelineNotFoundError: There is none; the message says which there are.
            PipelineLoadError: It cannot be loaded; the message has its traceback.
        """
        if name in BUILT_IN or name in UNLISTED:
            return self._built_in(name)
        for one in self._current(name):
            self._await(one)
            if (problem := one.problem) is not None:
                raise _load_error(name, problem)
            if one.pipeline is not None:
                return one.pipeline
            if not one.done.is_set():
                raise PipelineLoadError(f"The pipeline {name!r} is still being imported. Try again in a few seconds.")
        if name in self._misnamed:
            raise _load_error(name, self._misnamed[name])
        names = self.names()
        close = difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        reason = f" {self.empty_reason}" if self.empty_reason else ""
        raise PipelineNotFoundError(f"There is no pipeline {name!r}.{hint} There are: {known(names)}.{reason}")

    def _built_in(self, name: str) -> Pipeline:
        if (loaded := self._loaded.get(name)) is not None:
            return loaded
        with self._lock:
            if name not in self._loaded and name not in self._broken:
                try:
                    self._loaded[name] = load_built_in(name)
                except Exception as error:  # noqa: BLE001  one broken pipeline harms no other
                    self._broken[name] = failure_of(error, Path(__file__).parent / name)
            if name in self._broken:
                raise _load_error(name, self._broken[name])
            return self._loaded[name]

    def _current(self, name: str | None = None) -> list[PackageImport]:
        """The imports of the user packages as they are now, or of one; starts those that are due, and waits for none."""
        if not self._folders:
            return []
        with self._lock:
            there: dict[str, tuple[Path, AgentsFolder]] = {}
            misnamed: dict[str, LoadFailure] = {}
            for folder in self._folders:
                for one, path in folder.packages(name).items():
                    if one in there and there[one][0] == path:  # --agents names the teams' own folder
                        continue
                    if why := _name_problem(one, is_taken=one in there):
                        misnamed[f"{folder.path.name}/{one}"] = failed(why)
                    else:
                        there[one] = path, folder
            for gone in [one for one in self._imports if one not in there and name in (None, one)]:
                del self._imports[gone]
            if name is None:
                self._misnamed = misnamed
            due = [one for one in there if (made := self._imports.get(one)) is None or made.is_outdated]
            self._begin([there[one] for one in due])
            return [
                self._imports[one]
                for one, (path, folder) in there.items()
                if folder is not self._teams or self._sees(one, path)
            ]

    def _begin(self, packages: list[tuple[Path, AgentsFolder]]) -> None:
        """Starts to import packages, in the place of what was imported of them before."""
        if not packages:
            return
        code = {folder: source_files(folder.path) for folder in {folder for _, folder in packages}}
        begun = [PackageImport(path, folder.path, self._patience, code[folder]) for path, folder in packages]
        with self._scope.entered():
            start_in_turn([(one, self._imports.get(one.name)) for one in begun])
        self._imports |= {one.name: one for one in begun}

    def _awaited(self) -> list[PackageImport]:
        imports = self._current()
        for one in imports:
            self._await(one)
        return imports

    def _await(self, one: PackageImport) -> None:
        one.settled.wait(min(threading.TIMEOUT_MAX, max(0.0, one.made_at + self._wait - time.monotonic())))


def _everything(_name: str, _folder: Path) -> bool:
    return True


def _load_error(name: str, problem: LoadFailure) -> PipelineLoadError:
    mend = "" if problem.missing else " Change its code: it is loaded again when the file is saved."
    return PipelineLoadError(f"The pipeline {name!r} cannot be loaded.{mend}\n{problem.text}")


def _name_problem(name: str, *, is_taken: bool) -> str | None:
    if is_taken:
        return f"The folder in --agents has a pipeline called {name!r}. Give the team another name."
    if name in BUILT_IN or name == CODING_SESSION:
        return f"A pipeline called {name!r} comes with the playground. Give the folder another name."
    if not name.isidentifier():
        return f"{name!r} cannot name a pipeline: use letters, digits and underscores, not starting with a digit."
    return None
