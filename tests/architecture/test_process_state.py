"""No module of `agents` keeps state of the process: what changes belongs to a workspace, see `agents.scope.Scope`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import SOURCES, shown, tree_of

MAY_STAY = {
    "agents/scope.py: OUTSIDE": "code outside of any workspace: ADK registers models for the process",
    "agents/config.py: _hidden": "a key of one workspace is hidden in the texts of all, and cannot be read from it",
    "agents/config.py: _given": "what stands for the environment of a worker, which is the process's",
    "agents/pipelines/loading/import_path.py": "`sys.path` and `sys.modules` are the process's",
    "agents/pipelines/loading/sources/": "import hooks and audit hooks are the process's, and audit hooks stay",
    "agents/pipelines/code_refinement/checker.py: _recording_warnings": "Python's list of warning filters is the process's",
    "agents/models/local/engine.py": "llama.cpp's threads must end before the process does",
    "agents/session/service.py: _LISTENERS_LOCK": "guards nothing but the making of a service's own list",
    "agents/pipelines/working_files.py: _changing": "two workspaces may have one folder of files",
}
"""State that is the process's by its nature, with the reason."""

CONTAINERS = {"dict", "list", "set", "deque", "defaultdict", "Counter", "OrderedDict", "WeakKeyDictionary",
              "WeakValueDictionary", "WeakSet", "bytearray"}  # fmt: skip
ALWAYS = {"Lock", "RLock", "Event", "Condition", "Semaphore", "count", "SimpleQueue", "Queue", "local", "ThreadPoolExecutor"}
"""Calls whose result is there to change."""
CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
           "setdefault", "update"}  # fmt: skip
PURE = {"str", "int", "float", "bool", "bytes", "tuple", "Role", "Language", "Fields", "_Stamp", "Any", "type", "Model"}
"""Types of values: a cache by them holds nothing of a workspace."""
MADE = {"Runner", "AsyncClient", "Client", "ThreadPoolExecutor", "AbstractEventLoop", "Catalog", "Pipeline"}
"""Types of things with a life of their own, which a cache would keep for all."""


def _called(node: ast.expr | None) -> str:
    if isinstance(node, ast.Subscript):
        return _called(node.value)
    if isinstance(node, ast.Call):
        return _called(node.func)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def _changed(tree: ast.Module) -> set[str]:
    """Names that some function of a module changes in place, and attributes of a class that one changes on the class."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            found.add(ast.unparse(node.func.value))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(ast.unparse(node.value))
        elif isinstance(node, ast.AugAssign):
            found.add(ast.unparse(node.target))
    return found


def _changing_classes(trees: Iterator[ast.Module]) -> set[str]:
    """Classes of ours whose objects change: a method other than the first sets or changes what is in `self`."""
    found: set[str] = set()
    for tree in trees:
        for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            for method in (node for node in kind.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
                if method.name in {"__init__", "__post_init__", "__new__", "model_post_init"}:
                    continue
                inner = ast.Module(method.body, [])
                sets = any(
                    isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _called(node.value) == "self"
                    for node in ast.walk(inner)
                )
                if sets or any(name.startswith("self.") for name in _changed(inner)):
                    found.add(kind.name)
    return found


def state_in(tree: ast.Module, changing: set[str]) -> list[str]:
    """What a module keeps for the process."""
    changed = _changed(tree)
    found = [f"global {', '.join(node.names)}" for node in ast.walk(tree) if isinstance(node, ast.Global)]
    for name, value in _assigned(tree.body):
        is_container = isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)
        made = _called(value) if isinstance(value, ast.Call) else ""
        if ((is_container or made in CONTAINERS) and name in changed) or made in ALWAYS or made in changing:
            found.append(name)
    for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        names = (name for name, _ in _assigned(kind.body))
        found += [f"{kind.name}.{name}" for name in names if {f"cls.{name}", f"{kind.name}.{name}"} & changed]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and {_called(one) for one in node.decorator_list} & {"cache", "lru_cache"}:
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            kinds = {word.strip() for one in given if one.annotation for word in ast.unparse(one.annotation).split("|")}
            impure = {kind for kind in kinds if kind.partition("[")[0] not in PURE | {"None"}}
            if impure or _called(node.returns) in MADE:
                found.append(f"cache of {node.name}")
    return found


def _pipelines_agent(path: str, name: str) -> bool:
    """Whether it is an agent or a part of one: a run changes none, which other tests show."""
    return path.startswith("agents/pipelines/") and not name.startswith("_")


def test_what_changes_belongs_to_a_workspace():
    trees = {path: tree_of(source) for source in SOURCES if (path := shown(source)).startswith("agents/")}
    changing = _changing_classes(iter(trees.values()))
    found = [
        f"{path}: {name}"
        for path, tree in trees.items()
        for name in state_in(tree, changing)
        if not _pipelines_agent(path, name)
    ]
    assert [one for one in found if not one.startswith(tuple(MAY_STAY))] == []
    unused = [place for place in MAY_STAY if not any(one.startswith(place) for one in found)]
    assert unused == [], "no longer there: take it off the list"


@pytest.mark.parametrize(
    "source",
    [
        "KNOWN: dict[str, int] = {}\ndef note(name):\n    KNOWN[name] = 1",
        "_kept = []\ndef keep(one):\n    _kept.append(one)",
        "def begin():\n    global running\n    running = True",
        "_lock = threading.Lock()",
        "_pool = Pool()",
        "class Registry:\n    known = {}\n    @classmethod\n    def add(cls, name):\n        cls.known[name] = 1",
        "@cache\ndef pipeline(folder: Path) -> str:\n    return load(folder)",
        "@cache\ndef loop() -> asyncio.Runner:\n    return asyncio.Runner()",
    ],
)
def test_state_of_the_process_is_found(source):
    assert state_in(ast.parse(source), {"Pool"})


def test_constants_and_caches_of_values_are_no_state():
    source = (
        "NAMES = {'a': 1}\nORDER = [1, 2]\n@cache\ndef stem(word: str) -> str:\n    return word\n"
        "def f():\n    found = []\n    found.append(1)"
    )
    assert state_in(ast.parse(source), set()) == []
