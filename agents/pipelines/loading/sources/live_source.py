"""Imports modules of user packages from their files as they are now, and keeps the text that was compiled.

Python's own loader takes bytecode from `__pycache__` for a file that was saved twice within a second with the same size, and
what reads a source later, such as a traceback, reads the file as it is then.
"""

from __future__ import annotations

import ast
import importlib.util
import linecache
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from importlib.abc import PathEntryFinder
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from agents.adk.modules import install
from agents.adk.rewritten_imports import mentions_adk, rewritten
from agents.pipelines.loading.sources.seen_file import SeenFile, stamp_of

_lock = threading.Lock()
_roots: list[Path] = []


class LiveSource(SourceFileLoader):
    """Loads one module, once.

    Attributes:
        seen: The file as it was read; None before that.
    """

    def __init__(self, fullname: str, path: str) -> None:
        super().__init__(fullname, path)
        self.seen: SeenFile | None = None
        self._data = b""

    def path_stats(self, path: str) -> dict[str, int]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Raises, so that no bytecode is read or written."""
        raise OSError(path)

    def get_data(self, path: str) -> bytes:
        """The file's content; of the module itself always what was read first."""
        if path != self.path:
            return super().get_data(path)
        if self.seen is None:
            stamp = stamp_of(path)
            self._data = super().get_data(path)
            self.seen = SeenFile(path, stamp, self._data)
            linecache.cache[path] = (len(self._data), None, self.lines, path)  # what tracebacks and `inspect` read
        return self._data

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Compiles the source, with imports of ADK's names rewritten to this runtime's."""
        source = rewritten(ast.parse(data, path)) if mentions_adk(data) else data
        return super().source_to_code(source, path, _optimize=_optimize)  # pyright: ignore[reportCallIssue]

    @property
    def text(self) -> str:
        """The source that was compiled."""
        try:
            return importlib.util.decode_source(self._data)
        except (SyntaxError, UnicodeDecodeError):
            return self._data.decode("utf-8", errors="replace")

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, with their ends."""
        return self.text.splitlines(keepends=True)

    @cached_property
    def imports(self) -> frozenset[str]:
        """Full names of all that its import statements may mean, wherever they stand: modules, and names in them."""
        try:
            tree = ast.parse(self._data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return frozenset()
        package = self.name if self.is_package(self.name) else self.name.rpartition(".")[0]
        return frozenset(part for name in _imported(tree, package) for part in _with_parents(name))


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            module = ".".join(filter(None, (above if node.level else "", node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _with_parents(name: str) -> Iterable[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def live_source(module: ModuleType | None) -> LiveSource | None:
    """The loader of a module that was loaded by one of these."""
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    return loader if isinstance(loader, LiveSource) else None


def loaded(names: Iterable[str]) -> dict[str, LiveSource]:
    """The loaded modules of those names, and of all that they import, by name; only those with a live source."""
    found: dict[str, LiveSource] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and (loader := live_source(sys.modules.get(name))) is not None:
            found[name] = loader
            waiting.extend(loader.imports)
    return found


def forget_changed(root: Path) -> None:
    """Takes the modules below a folder whose files have changed out of `sys.modules`, and those that import them."""
    # `copy` is done at once; while a list of pairs is made, garbage collection may let another thread import something.
    sources = {
        name: source
        for name, module in sys.modules.copy().items()
        if (source := live_source(module)) is not None and Path(source.path).is_relative_to(root)
    }
    stale = {name for name, source in sources.items() if source.seen is not None and source.seen.is_changed()}
    while more := {name for name, source in sources.items() if name not in stale and source.imports & stale}:
        stale |= more
    forget(stale)


def forget(names: Iterable[str]) -> None:
    """Takes modules out of `sys.modules` and out of the packages that they are attributes of."""
    for name in names:
        module = sys.modules.pop(name, None)
        parent, _, last = name.rpartition(".")
        above = vars(sys.modules[parent]) if parent in sys.modules else {}
        if module is not None and above.get(last) is module:
            del above[last]


def import_live(root: Path) -> None:
    """Makes all modules below a folder be imported with their live source, from the next import on."""
    with _lock:
        if root in _roots:
            return
        _roots.append(root)
        install()
        if _find not in sys.path_hooks:
            sys.path_hooks.insert(0, _find)
        for entry in list(sys.path_importer_cache):
            if _is_live(entry):
                sys.path_importer_cache.pop(entry, None)


def import_live_package(name: str) -> None:
    """Makes a package on Python's path, and its neighbours, be imported as the playground does, with this runtime as ADK.

    Raises:
        ModuleNotFoundError: It is not on the path.
    """
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"The package {name} is not on Python's path. Put the folder that it is in on PYTHONPATH.")
    import_live(Path(found.submodule_search_locations[0]).parent)


def _find(entry: str) -> PathEntryFinder:
    """A hook of `sys.path_hooks`."""
    if not _is_live(entry):
        raise ImportError(f"{entry} is not in a folder of user packages")
    return _make(entry)


_make: Callable[[str], PathEntryFinder] = FileFinder.path_hook(
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (LiveSource, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)


def _is_live(entry: str) -> bool:
    """Whether an entry of a path is a folder of user packages, or is in one, and in no installed package there."""
    place = Path(entry)
    for root in _roots:
        if place.is_relative_to(root):
            inner = place.relative_to(root).parts
            if any(part == "site-packages" or part.startswith(".") for part in inner):
                continue
            above = getattr(sys.modules.get(inner[0]), "__spec__", None) if inner else None
            if type(getattr(above, "loader", None)) is not SourceFileLoader:  # e.g. this project, where it is run from
                return True
    return False
