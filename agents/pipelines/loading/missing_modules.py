"""Says of modules that a user package needs and that cannot be imported where they are, or what installs them."""

from __future__ import annotations

import ast
import os.path
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from agents.adk.names import ADK
from agents.pipelines.loading.distributions import distribution_of, is_namespace, module_of
from agents.pipelines.loading.sources.seen_file import source_files

_MOST_FILES = 200
_LARGEST = 1_000_000  # bytes of a file that is looked through
_MOST_PARENTS = 6
_REPOSITORY = (".git", "pyproject.toml")
_START = "agent.py"


def explain_missing(error: BaseException, folder: Path) -> tuple[str, frozenset[str]] | None:
    """What a package lacks, and the names of the modules; None if `error` is about something else.

    Args:
        error: What the import of the package raised.
        folder: The package's folder. Its other modules are looked through as well, so that all is told at once.
    """
    if not isinstance(error, ImportError) or not error.name or _is_in(error.name, ADK):
        return None
    name, imports = error.name, list(_imports_in(folder))
    if is_namespace(name):
        part: str | None = getattr(error, "name_from", None)  # Python says it from 3.12 on
        name = f"{name}.{part}" if part else name
    elif not isinstance(error, ModuleNotFoundError) or not _is_missing(name, folder):
        return None
    missing: dict[str, tuple[str, Path]] = {}
    for one, file in (*imports, (name, _raised_in(error, folder))):
        if _is_missing(one, folder):
            missing.setdefault(module_of(one), (one, file))
    own = {module: place for module, (_, file) in missing.items() if (place := _own(module, file, folder))}
    said = [_where(*missing[module], found, folder) for module, found in sorted(own.items())]
    if others := sorted(missing.keys() - own.keys()):
        said.append(_what_installs(others, folder))
    return (" ".join(said), frozenset(missing)) if said else None


def is_found(name: str, folder: Path) -> bool:
    """Whether a module that a package lacked can be imported now."""
    return not _is_missing(name, folder)


def _what_installs(modules: list[str], folder: Path) -> str:
    known = sorted({found for module in modules if (found := distribution_of(module))})
    unknown = [module for module in modules if not distribution_of(module)]
    steps = [f"run `uv pip install {' '.join(known)}`"] if known else []
    if unknown:
        steps.append(f"install the distribution that has {', '.join(unknown)} (it may have another name)")
    are = "which is not installed" if len(modules) == 1 else "which are not installed"
    return f"{folder.name} needs {', '.join(modules)}, {are}: {', and '.join(steps)}. It is loaded as soon as that is done."


def _where(name: str, file: Path, found: Path, folder: Path) -> str:
    """What to do for a module of the author's own.

    Args:
        name: As it is imported.
        file: By which.
        found: Its file or folder.
        folder: The package's.
    """
    place = found.parent
    if place.is_relative_to(folder):
        dots = "." * (1 + len(file.parent.relative_to(place).parts))
        return (
            f"{found.stem} is {folder.name}'s own {found.relative_to(folder).as_posix()}: "
            f"write `from {dots}{name} import …` in {file.relative_to(folder).as_posix()}."
        )
    if folder.is_relative_to(found) and os.path.isfile(found / _START):  # noqa: PTH113
        give = f"give `--agents {shlex.quote(str(place))}` and run {found.name}"
        return f"{folder.name} is a part of the agent {found}: {give}."
    return (
        f"{folder.name} needs {found.stem}, which is not on Python's path but is {found}: "
        f"start again with `PYTHONPATH={shlex.quote(str(place))}`."
    )


def _own(module: str, file: Path, folder: Path) -> Path | None:
    """The author's own module: beside the file that imports it, or in a folder above, up to that of the repository."""
    if not module.isidentifier():
        return None
    may_be_data = distribution_of(module) is not None  # e.g. a folder `docker` with no Python in it
    for place in _places(file.parent, folder):
        if os.path.isfile(place / f"{module}.py"):  # noqa: PTH113  unlike Path's, it raises nothing
            return place / f"{module}.py"
        if os.path.isfile(place / module / "__init__.py") or (not may_be_data and os.path.isdir(place / module)):  # noqa: PTH112, PTH113
            return place / module
    return None


def _places(start: Path, folder: Path) -> Iterator[Path]:
    inside = len(start.relative_to(folder).parts)
    for place in (start, *list(start.parents)[: inside + _MOST_PARENTS]):
        if place == place.parent:
            return
        yield place
        if not place.is_relative_to(folder):
            yield place / "src"
        if any(os.path.exists(place / name) for name in _REPOSITORY):  # noqa: PTH110
            return


def _raised_in(error: ImportError, folder: Path) -> Path:
    """The file of the package in which an import failed last."""
    files = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    return next((file for file in reversed(files) if file.is_relative_to(folder)), folder / _START)


def _is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _is_missing(name: str, folder: Path) -> bool:
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in (folder.name, "agents") or _is_in(name, ADK):
        return False
    if is_namespace(top):
        return not is_namespace(name) and not _exists(module_of(name))
    return top not in sys.modules and PathFinder.find_spec(top) is None


def _exists(name: str) -> bool:
    """Whether a module inside packages that have no code of their own can be found."""
    path: list[str] | None = None
    for place in range(1, name.count(".") + 2):
        spec = PathFinder.find_spec(".".join(name.split(".")[:place]), path)
        if spec is None:
            return False
        path = list(spec.submodule_search_locations or ())
    return True


def _imports_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The modules that a package's files import when they are imported, with the file; not those in a `try` or an `if`."""
    for file in sorted(Path(one) for one in source_files(folder) if one.endswith(".py"))[:_MOST_FILES]:
        try:
            tree = ast.parse(file.read_bytes()) if file.stat().st_size <= _LARGEST else None
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        yield from ((name, file) for name in _imported(tree.body if tree is not None else ()))


def _imported(statements: Iterable[ast.stmt]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if is_namespace(node.module):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module
