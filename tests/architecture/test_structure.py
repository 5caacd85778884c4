"""How the project is built: what imports what, how long things are, and what is never done."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

from tests.architecture.import_circles import cycles, folder_cycles
from tests.architecture.sources import PACKAGES, ROOT, SCRIPTS, SOURCES, nodes_of, shown, tree_of

LONGEST_FUNCTION = 60
"""Lines, signature and docstring included."""

MOST_MODULES = 12
"""In one folder, beside `__init__` and `__main__`. Pipelines are left out: each is a package that one may add."""

MOST_CONTRACTS = 17
"""In `agents` itself: a contract is one file there."""

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}

HEAVY = {"agents.models.gemini.model", "agents.models.simulated.model", "sqlite_utils", "streamlit", "pandas"}
"""Modules that are loaded when they are first used, not with the runtime. (`google.genai.types` brings its own.)"""


def nodes(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[Path, ast.AST]]:
    return ((path, node) for path in SOURCES for node in nodes_of(path) if isinstance(node, kind))


# -- imports


@cache
def graph() -> grimp.ImportGraph:
    """What imports what; imports for type checkers count, too: readers follow them."""
    return grimp.build_graph(*PACKAGES, exclude_type_checking_imports=False, cache_dir=None)


def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"e"}}) == [["a", "b", "c"], ["e"]]


def test_folders_that_import_each_other_are_found():
    one, two, three, four = ("js", "a", "one"), ("js", "b", "two"), ("js", "b", "three"), ("js", "a", "in", "four")
    assert folder_cycles({one: [two], two: [], three: [four], four: []}) == {"js": [["a", "b"]]}
    assert folder_cycles({one: [two], two: [three], three: [], four: [one]}) == {}


def test_no_modules_and_no_folders_import_each_other_in_a_circle():
    edges = {module: graph().find_modules_directly_imported_by(module) for module in graph().modules}
    assert cycles(edges) == []
    places = {tuple(module.split(".")): [tuple(other.split(".")) for other in others] for module, others in edges.items()}
    assert folder_cycles(places) == {}


def test_agents_never_imports_the_front_end():
    wrong = [
        (shown(path), name)
        for path, node in nodes((ast.Import, ast.ImportFrom))
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        if path.is_relative_to(ROOT / "agents") and name.split(".")[0] in ("streamlit", "ui")
    ]
    assert wrong == []


def loaded_by(code: str) -> set[str]:
    """The modules in memory after `code` was run by a fresh interpreter."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ran.stdout.split())


def test_importing_agents_loads_next_to_nothing():
    loaded = loaded_by("import agents")
    assert {name for name in loaded if name.startswith("agents")} == {"agents", "agents.runtime", "agents.runtime.lazy"}
    assert loaded.isdisjoint({"pydantic", "google.genai", "sqlite_utils", "asyncio"})


def test_the_runtime_loads_no_provider_no_database_and_no_front_end():
    names = "LlmAgent, LoopAgent, InMemoryRunner, FunctionTool, RunConfig, Event, LLMRegistry"
    assert loaded_by(f"from agents import {names}").isdisjoint(HEAVY)


def test_every_public_name_loads_and_is_the_only_kind():
    import agents

    assert [name for name in agents.__all__ if getattr(agents, name, None) is None] == []
    assert set(agents.__all__) <= set(dir(agents))


# -- size and names


def test_no_function_is_long():
    long = {
        f"{shown(path)}:{node.name}": length
        for path, node in nodes((ast.FunctionDef, ast.AsyncFunctionDef))
        if (length := node.end_lineno - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


def test_no_folder_is_crowded():
    folders = {path.parent for path in [*SOURCES, *SCRIPTS]}
    crowded = {
        shown(folder): len(modules)
        for folder in folders
        if len(modules := [one for one in folder.iterdir() if one.suffix in {".py", ".js"} and one.stem != "__init__"])
        > (MOST_CONTRACTS if folder == ROOT / "agents" else MOST_MODULES)
    }
    assert crowded == {}


def test_modules_are_called_by_what_they_are_about():
    named = [*SOURCES, *SCRIPTS, *(ROOT / "tests").rglob("*.py")]
    assert [shown(path) for path in named if {path.stem, path.parent.name} & VAGUE_NAMES] == []


def test_every_module_says_what_it_is():
    silent = [
        shown(path) for path in SOURCES if path.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree_of(path))
    ]
    assert silent == []


# -- never

COMPILES = ("compile", "agents/pipelines/code_refinement/checker.py")
"""The checker of generated code: what only the compiler finds, such as a `return` outside of a function."""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("eval", "text must never become code"),
        ("exec", "text must never become code"),
        ("compile", "only one place compiles, and throws away what it gets unrun"),
        ("__import__", "importlib.import_module says what is meant"),
    ],
)
def test_text_never_becomes_code(name, reason):
    used = [
        f"{shown(path)}:{node.lineno}"
        for path, node in nodes(ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == name and (name, shown(path)) != COMPILES
    ]
    assert used == [], reason


def test_what_is_compiled_is_thrown_away():
    kind, file = COMPILES
    statements = [node for node in ast.walk(tree_of(ROOT / file)) if isinstance(node, ast.stmt)]
    calls = [
        node for node in ast.walk(tree_of(ROOT / file)) if isinstance(node, ast.Call) and ast.unparse(node.func) == kind
    ]
    alone = [node.value for node in statements if isinstance(node, ast.Expr)]
    assert calls
    assert all(call in alone for call in calls), "its result is used for something"


@pytest.mark.parametrize(
    ("keyword", "reason"),
    [
        ("unsafe_allow_html", "what a model or a person wrote would be drawn as HTML"),
        ("unsafe_allow_javascript", "what a model or a person wrote would be run as a script"),
        ("shell", "a command line put together from text can be made to do anything"),
    ],
)
def test_no_argument_opens_a_door(keyword, reason):
    used = [f"{shown(path)}:{node.value.lineno}" for path, node in nodes(ast.keyword) if node.arg == keyword]
    assert used == [], reason


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\.\s*(inner|outer)HTML\s*\+?=(?!=)", "model text must be set as textContent"),
        (r"\binsertAdjacentHTML\b|\bdocument\.write\b|\bcreateContextualFragment\b", "the same by another name"),
        (r"\beval\s*\(|\bnew\s+Function\b", "text must never become code"),
        (r"\bset(Timeout|Interval)\s*\(\s*[\"'`]", "text must never become code"),
        (r"\bjavascript:", "a link must not run"),
        (r"https?://(?!www\.w3\.org/)", "no request may leave the machine (XML names of w3.org are not requested)"),
    ],
)
def test_scripts_treat_text_as_text(pattern, reason):
    found = [
        f"{shown(path)}:{number}: {line.strip()}"
        for path in SCRIPTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line) and not line.lstrip().startswith(("//", "*", "/*"))
    ]
    assert found == [], reason


READERS_OF_THE_ENVIRONMENT = {
    "agents/config.py",
    "ui/cli/terminal.py",  # NO_COLOR and TERM: about the terminal that it prints to, not about the project
}


def test_the_environment_is_read_in_one_place():
    readers = {
        shown(path)
        for path, node in nodes(ast.Attribute)
        if isinstance(node.value, ast.Name) and node.value.id == "os" and node.attr in ("environ", "getenv")
    }
    assert readers <= READERS_OF_THE_ENVIRONMENT
