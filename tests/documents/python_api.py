"""Writes `ui/docs/python-api.md`: every public name of `agents`, with one line. `uv run poe docs` runs it.

Names are those of each package's `__all__`; the lines are the first sentences of docstrings, read from the sources.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.documents.blocks import DOCS, ROOT

PACKAGES = (
    *("", "workflow", "tools", "models", "models.scripted", "pipelines", "runs", "forks", "comparison", "cases", "sharing"),
    *("telemetry", "history", "ace", "lab", "lessons", "teams", "review", "access", "jobs", "classroom", "transcripts"),
)
"""Below `agents`, in the order of the page."""
FILE = DOCS / "python-api.md"
LONGEST_VALUE = 80
"""Characters of a value that is shown."""
HEAD = """\
# Python API

Every public name with one line: what a package of `agents` names in its `__all__`.

These names are the public API, and only these: [Changelog](../../CHANGELOG.md) says what stays stable. Arguments, attributes
and errors are in the docstrings: `help(name)` in Python shows them. This page is written by `uv run poe docs`.
"""

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|$)", re.DOTALL)


class Home(NamedTuple):
    """Where a name is defined."""

    node: ast.stmt
    docstring: str


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for package in PACKAGES for line in _package(f"agents.{package}".rstrip(".")))])


def _package(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    path = Path(str(module.__file__))
    yield f"## {name}\n"
    yield f"{_first_sentence(module.__doc__ or '')}\n"
    yield "| name | |\n|---|---|"
    homes = _homes(path)
    for public in sorted(module.__all__, key=str.casefold):
        home = _definition(*homes.get(public, (path, public)))
        yield f"| `{public}{_arguments(home.node)}` | {_first_sentence(home.docstring).replace('|', chr(92) + '|')} |"
    yield ""


def _homes(path: Path) -> dict[str, tuple[Path, str]]:
    """Where a package takes its names from: file, and the name there."""
    found: dict[str, tuple[Path, str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("agents"):
            place = ROOT / node.module.replace(".", "/")
            file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
            found |= {alias.asname or alias.name: (file, alias.name) for alias in node.names}
    return found


def _definition(path: Path, name: str) -> Home:
    """The class, function or assignment of a name, with its docstring.

    Raises:
        LookupError: It is not in this file.
    """
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for place, node in enumerate(body):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return Home(node, ast.get_docstring(node) or "")
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        names = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        if name in names:
            after = body[place + 1] if place + 1 < len(body) else None
            said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            return Home(node, str(said) or _value(node))
    homes = _homes(path)
    if name in homes and homes[name] != (path, name):
        return _definition(*homes[name])
    raise LookupError(f"{name} is not defined in {path}")


def _value(node: ast.Assign | ast.AnnAssign) -> str:
    """What is assigned, where no docstring says more."""
    text = " ".join(ast.unparse(node.value).split()) if node.value else ""
    return f"`{text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + '…'}`"


def _arguments(node: ast.stmt) -> str:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    given = node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    names += [f"*{given.vararg.arg}"] if given.vararg else ["*"] if given.kwonlyargs else []
    names += [one.arg for one in given.kwonlyargs] + ([f"**{given.kwarg.arg}"] if given.kwarg else [])
    return f"({', '.join(names)})"


def _first_sentence(docstring: str) -> str:
    text = " ".join(docstring.split("\n\n", maxsplit=1)[0].split())
    found = _SENTENCE.match(text)
    return found[0] if found else ""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
