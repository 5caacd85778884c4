"""The folder in `--agents`: which packages are in it, and if there are none, what is there and what is needed."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from agents.errors import PipelineNotFoundError
from agents.storage.paths import folder_problem
from agents.teams.team_files import ROOT

_AGENT = "agent.py"
_STARTS = (_AGENT, "__init__.py")
_FILES = (*_STARTS, ROOT)
_ROOT = "root_agent"
_NEEDED = "It needs a folder for each agent, with a root_agent in its agent.py, e.g. {}, or a root_agent.yaml."
_DEEPEST = 4
_MOST_FOLDERS = 2000
_MOST_NAMED = 5
_LARGEST = 1_000_000
_NOT_OPENED = frozenset({"site-packages", "node_modules"})


@dataclass(frozen=True, slots=True)
class AgentsFolder:
    """A folder of user packages.

    Attributes:
        path: The folder, links followed.
        is_package: Whether it is itself the one package.
    """

    path: Path
    is_package: bool

    @classmethod
    def at(cls, given: Path) -> Self:
        """The folder that a path means: that of packages, of one package, or of the `agent.py` or `root_agent.yaml` of one.

        Raises:
            PipelineNotFoundError: There is no such folder, or it cannot be read.
        """
        if given.is_file() and given.suffix in (".py", ".yaml", ".yml"):
            if given.suffix == ".py" and given.name not in _STARTS:
                raise PipelineNotFoundError(
                    f"{given} is one file, and an agent has a folder of its own: move it to "
                    f"{given.parent / given.stem / _AGENT}, and give --agents {given.parent}."
                )
            given = given.parent
        if problem := folder_problem(given):
            raise PipelineNotFoundError(f"There is no folder {given} to take agents from: {problem} {_needed(given)}")
        path = given.resolve()
        return cls(path, _is_agents(path))

    def packages(self, name: str | None = None) -> dict[str, Path]:
        """The folders that may be pipelines now, by name; hidden ones and caches are not.

        Args:
            name: The one to look for; None for all.
        """
        if self.is_package:
            there = [self.path] if name in (None, self.path.name) and self.path.is_dir() else []
        elif name is not None:
            there = [self.path / name] if name == os.path.basename(name) else []  # noqa: PTH119  a name, not a path
        else:
            there = _folders_in(self.path)
        return {one.name: one for one in there if not one.name.startswith((".", "__")) and _may_be_package(one)}

    def lacks(self) -> str:
        """What is in a folder that gives no pipeline, and what it needs."""
        if problem := folder_problem(self.path):
            return f"There is no folder {self.path} any more: {problem}"
        return f"There is no agent in {self.path}: {self._seen()} {_needed(self.path)}"

    def _seen(self) -> str:
        deeper = sorted({folder.parent for folder in _deeper_packages(self.path)} - {self.path})
        if len(deeper) == 1:
            return f"the agents are one folder deeper. Give --agents {deeper[0]}."
        if deeper:
            return f"they are in several folders below it. Give --agents one of {_listed([str(one) for one in deeper])}."
        files = [one.name for one in sorted(self.path.glob("*.py")) if _binds_root_agent(one)]
        if files:
            where = self.path / Path(files[0]).stem / _AGENT
            return f"{_listed(files)} has a root_agent, but no folder of its own: move it to {where}."
        packages = [one for one in _folders_in(self.path) if _may_be_package(one)]
        if packages:
            return f"{_listed([one.name for one in packages])} has neither an agent.py nor a root_agent in its __init__.py."
        code = [one for one in _folders_in(self.path) if not one.name.startswith(".") and any(one.glob("*.py"))]
        if code:
            return f"{_listed([one.name for one in code])} has Python files, and no agent.py."
        names = sorted(one.name for one in self.path.iterdir())
        return f"it holds {_listed(names)}." if names else "it is empty."


def _needed(folder: Path) -> str:
    return _NEEDED.format(folder / "my_agent" / _AGENT)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            return [folder / one.name for one in sorted(found, key=lambda one: one.name) if _is_folder(one)]
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return True


def _may_be_package(folder: Path) -> bool:
    try:
        return folder.is_dir() and any((folder / name).is_file() for name in _FILES)
    except OSError:  # it cannot be read: importing it will say so
        return True


def _deeper_packages(root: Path) -> Iterator[Path]:
    """Folders below `root` that have an agent, not those within one that has."""
    for looked, (place, folders, _files) in enumerate(os.walk(root), 1):
        here = Path(place)
        if _is_agents(here):
            folders.clear()
            yield here
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")) and name not in _NOT_OPENED)
        if len(here.relative_to(root).parts) >= _DEEPEST or looked > _MOST_FOLDERS:
            folders.clear()


def _is_agents(folder: Path) -> bool:
    """Whether a folder is that of an agent, not one of such folders."""
    return (folder / ROOT).is_file() or any(_binds_root_agent(folder / name) for name in _STARTS)


def _binds_root_agent(file: Path) -> bool:
    """Whether a file gives the name `root_agent` a value; it is not run."""
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return False
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(_binds(node) for node in tree.body)


def _binds(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(isinstance(one, ast.Name) and one.id == _ROOT for target in targets for one in ast.walk(target))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name == _ROOT
        case ast.ImportFrom(names=names):
            return any((one.asname or one.name) == _ROOT for one in names)
        case _:
            return False
