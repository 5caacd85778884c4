"""The sources of the project as files and syntax trees, each read and parsed once."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "ui")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SCRIPTS = sorted((ROOT / "ui").rglob("*.js"))

_WORD = re.compile(r"\w+")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def words_of(path: Path) -> frozenset[str]:
    """All words of a file: a name that is not among them is not used there. Costs far less than a syntax tree."""
    return frozenset(_WORD.findall(path.read_text(encoding="utf-8")))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(path)))
