"""A provider's name is spelled in its own package; all else iterates the specs, so that a new provider is one package."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from agents.models.providers import PACKAGES, all_providers
from tests.architecture.sources import ROOT, SCRIPTS, SOURCES, nodes_of, shown

MODELS = ROOT / "agents" / "models"

WORDS = {"simulated", "local", "replay", "you"}
"""Names that are words of other things, too: found only as a whole text, or at the beginning of a model's name."""

_ENGINE = re.compile(r"x?llama[-._]?(?:cpp|server)", re.IGNORECASE)
"""llama.cpp, which runs model files and is a server: no provider."""
_COMMENT = re.compile(r"(?m)^\s*(?://|/?\*).*$")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")

_MARK = "the log's mark of what a simulation computed, which is no model's name"
_EXAMPLE = "a model's name as an example in a text"
_BUILT_IN = "tools that Gemini runs itself, as ADK has them; a model that is called so has them behind any provider"
_ADK = "names of google-adk, whose own models are Gemini's, and one of Ollama"
_PUBLIC = "the public names of the two classes that agents make by hand"

SPELLED = {
    "agents/__init__.py": ({"gemini", "llama"}, _PUBLIC),
    "agents/models/__init__.py": ({"gemini", "llama"}, _PUBLIC),
    "agents/models/providers.py": ({"gemini", "ollama", *WORDS}, "the list of the packages"),
    "agents/model.py": ({"gemini"}, _BUILT_IN),
    "agents/models/call.py": ({"gemini"}, _BUILT_IN),
    "agents/flows/run_records.py": ({"simulated"}, _MARK),
    "agents/storage/sessions/run_status.py": ({"simulated"}, _MARK),
    "ui/cli/listings.py": ({"simulated"}, _MARK),
    "ui/cli/display.py": ({"simulated"}, _MARK),
    "ui/cli/terminal.py": ({"simulated"}, _MARK),
    "ui/text/answered_by.py": ({"simulated"}, _MARK),
    "ui/demo/watch/page.py": ({"simulated"}, _MARK),
    "ui/playground/header.py": ({"simulated"}, _MARK),
    "agents/lab/reports/rows.py": ({"simulated"}, _MARK),
    "ui/lab/run_view.py": ({"simulated"}, _MARK),
    "agents/pipelines/loading/distributions.py": ({"llama", "ollama"}, "names of distributions, as they are on PyPI"),
    "agents/sharing/code/adk_code.py": ({"gemini"}, _ADK),
    "agents/sharing/code/adk_tree.py": ({"gemini"}, _ADK),
    "agents/sharing/code/playground_code.py": ({"gemini"}, _EXAMPLE),
    "agents/adk/names.py": ({"ollama"}, _ADK),
    "agents/adk/replaced.py": ({"ollama"}, _ADK),
    "agents/lab/scorers/spec.py": ({"gemini"}, _EXAMPLE),
    "ui/cli/command_line.py": ({"gemini"}, _EXAMPLE),
    "ui/settings/prices.py": ({"gemini", "llama"}, _EXAMPLE),
    "ui/api/mcp/session_tools.py": ({"simulated"}, _MARK),
    "origin.js": ({"simulated"}, _MARK),
    "boundary_rows.js": ({"simulated"}, _MARK),
    "badges.js": ({"simulated"}, _MARK),
    "event_tab.js": ({"simulated"}, _MARK),
    "status.js": ({"simulated"}, _MARK),
}
"""Where a provider's name is spelled outside of its package, and why. By path; scripts by name."""

PACKAGES_USED = {
    "agents.models.simulated": "a pipeline's simulation is written with it, and its answers carry its mark",
    "agents.models.you": "runs pause for the user's answers, and these are checked before they are stored",
    "agents.models.replay": "sessions are recordings: the run manager reads them, and pages offer to replay them",
    "agents.models.local": "files are fetched, shown and unloaded by the command line and on the Settings page",
    "agents.models.gemini": _PUBLIC,
    "agents.models.openai_compatible": f"{_PUBLIC}; Ollama and model files speak its format",
}
"""Providers' packages that others import, and why. A new provider is imported by nobody."""


def names_in(text: str, *, is_name: bool = False) -> set[str]:
    """The providers that a text, or an identifier, spells."""
    rest = _ENGINE.sub("", text).lower()
    found = set()
    for name in sorted(names(), key=len, reverse=True):  # one may be a part of another: ollama and llama
        if name in WORDS:
            found |= {name} if not is_name and (text == name or text.startswith(f"{name}/")) else set()
        elif name in rest:
            found.add(name)
            rest = rest.replace(name, "")
    return found


@cache
def names() -> tuple[str, ...]:
    return tuple(provider.name for provider in all_providers())


def packages() -> dict[str, Path]:
    """The package of each provider."""
    return {provider.name: MODELS / package for provider, package in zip(all_providers(), PACKAGES, strict=True)}


def texts_of(nodes: Collection[ast.AST]) -> Iterator[tuple[str, bool]]:
    """The texts and identifiers among a module's nodes, without its docstrings; and whether each is an identifier."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield text, False
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name, True
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, True
            case ast.alias(name=name):
                yield name, True
            case ast.ImportFrom(module=str(name)):
                yield name, True
            case _:
                pass


def spelled() -> dict[str, set[str]]:
    """File → the providers that it spells, and that are not its own."""
    own = packages()
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        all_names = {name for text, is_name in texts_of(nodes_of(path)) for name in names_in(text, is_name=is_name)}
        found[shown(path)] = {name for name in all_names if not path.is_relative_to(own[name])}
    for path in SCRIPTS:
        code = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        texts = [code, *(quoted[1:-1] for quoted in _QUOTED.findall(code))]
        found[path.name] = found.get(path.name, set()) | {name for text in texts for name in names_in(text)}
    return {file: others for file, others in found.items() if others}


def imported_packages() -> set[str]:
    """The providers' packages that are imported from outside of themselves."""
    modules = {f"agents.models.{package}": MODELS / package for package in PACKAGES}
    imports = [
        (path, node.module)
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return {
        package
        for path, module in imports
        for package, folder in modules.items()
        if f"{module}.".startswith(f"{package}.") and not path.is_relative_to(folder)
    }


def test_a_providers_name_is_spelled_in_its_own_package():
    assert spelled() == {file: allowed for file, (allowed, _) in SPELLED.items()}, "iterate agents.models.providers instead"


def test_a_providers_package_is_imported_by_few():
    assert imported_packages() == set(PACKAGES_USED), "iterate agents.models.providers instead"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("KEYS = {'gemini': 1}", {"gemini"}),
        ("if provider == 'local': pass", {"local"}),
        ("name = f'replay/{session}'", {"replay"}),
        ("def of_gemini(): pass", {"gemini"}),
        ("from agents.models.ollama.model import Ollama", {"ollama"}),
        ("use(llama=1)", {"llama"}),
        ("set_('OLLAMA_HOST')", {"ollama"}),
        ('def f():\n    """Says llama."""', set()),
        ("'xllamacpp', 'llama.cpp'", set()),
        ("local = 'a local file'", set()),
    ],
)
def test_a_name_that_is_spelled_is_found(code, found):
    texts = texts_of([*ast.walk(ast.parse(code))])
    assert {name for text, is_name in texts for name in names_in(text, is_name=is_name)} == found
