"""What a dependency does not document is used in one module per dependency, and its version has an upper bound."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.architecture.sources import ROOT, tree_of
from ui.dependencies.streamlit_private import SELECTORS

UI = ROOT / "ui"
MCP = UI / "dependencies" / "mcp_private.py"
MODULES = {"streamlit": UI / "dependencies" / "streamlit_private.py", "uvicorn": UI / "dependencies" / "uvicorn_private.py"}
DOCUMENTED = {
    "streamlit",
    "streamlit.components.v2",
    "streamlit.delta_generator.DeltaGenerator",  # the type of a container, in annotations
    "uvicorn",
    *(
        f"starlette.{module}"
        for module in (
            "applications",
            "datastructures",
            "middleware",
            "middleware.cors",
            "requests",
            "responses",
            "routing",
            "types",
            "websockets",
        )
    ),
}
"""What other modules may import: a module with all its names, or one name."""

PUBLIC_IN_SPITE_OF_ITS_UNDERSCORE = {
    "_exit",  # of `os`
    "_asdict",  # of named tuples
    "_replace",  # the same
}
PAGE_OF_THE_SCRIPTS = UI / "browser" / "js" / "streamlit_page.js"
"""The one script with selectors of its own."""
WRITTEN = re.compile(r"""^const [A-Z_]+ = '([^'\n]+)';$""", re.MULTILINE)
TEST_ID = re.compile(r"""data-testid(?:\s*=\s*["']?([\w-]*))?""")


@cache
def modules() -> dict[Path, ast.Module]:
    """Every module but those of private parts."""
    paths = (path for path in sorted(UI.rglob("*.py")) if path not in {*MODULES.values(), MCP})
    return {path: tree_of(path) for path in paths}


def imports(tree: ast.Module) -> Iterator[str]:
    """Full names of what is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_documented(name: str) -> bool:
    parent, _, last = name.rpartition(".")
    return name in DOCUMENTED or (parent in DOCUMENTED and parent not in MODULES and not last.startswith("_"))


def test_only_documented_parts_are_imported_elsewhere():
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, tree in modules().items()
        for name in imports(tree)
        if name.split(".")[0] in {*MODULES, "starlette"} and not is_documented(name)
    ]
    assert wrong == []


def test_what_is_documented_is_told_from_what_is_not():
    assert is_documented("streamlit.components.v2")
    assert is_documented("starlette.responses.Response")
    private = [
        "streamlit.config",
        "streamlit.runtime.get_instance",
        "uvicorn.server",
        "starlette._utils",
        "starlette.routing._x",
    ]
    assert [name for name in private if is_documented(name)] == []


def test_no_private_attribute_of_another_object_is_used():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not (node.attr.startswith("__") or node.attr in PUBLIC_IN_SPITE_OF_ITS_UNDERSCORE)
        and not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"})
    ]
    assert wrong == []


def texts() -> Iterator[tuple[Path, str]]:
    """Everything in which a selector can stand, without the list of them."""
    for path in sorted(UI.rglob("*")):
        if path.suffix in {".py", ".js", ".css"} and path not in MODULES.values():
            yield path, path.read_text(encoding="utf-8")


def test_no_selector_of_streamlits_elements_is_written_elsewhere():
    wrong = [
        str(path.relative_to(ROOT))
        for path, text in texts()
        if (TEST_ID.search(text) or "[kind=" in text or "static/js/" in text) and path != PAGE_OF_THE_SCRIPTS
    ]
    assert wrong == []


def selectors_of_the_scripts() -> set[str]:
    return set(WRITTEN.findall(PAGE_OF_THE_SCRIPTS.read_text(encoding="utf-8")))


def test_the_scripts_know_no_element_that_is_not_listed():
    written = selectors_of_the_scripts()
    assert written <= set(SELECTORS.values())
    assert len(TEST_ID.findall("".join(written))) == len(TEST_ID.findall(PAGE_OF_THE_SCRIPTS.read_text(encoding="utf-8")))


def test_every_selector_is_used():
    everything = "\n".join(text for _, text in texts())
    used_by_scripts = selectors_of_the_scripts()
    unused = [
        name
        for name, selector in SELECTORS.items()
        if not re.search(rf""":--{name}(?![\w-])|SELECTORS\["{name}"\]""", everything) and selector not in used_by_scripts
    ]
    assert unused == []


@pytest.mark.parametrize("name", MODULES)
def test_a_dependency_whose_private_parts_are_used_has_an_upper_bound(name):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [requirement for text in project["dependencies"] if (requirement := Requirement(text)).name == name]
    assert [sorted(bound.operator for bound in requirement.specifier) for requirement in found] == [["<", ">="]]
