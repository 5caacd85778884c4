"""The simulated writer's first version of a function, with slips that follow from the request's own draw."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable
from dataclasses import replace

from agents.pipelines.code_refinement.recipes import Recipe

_SHORTEST_WITH_SLIP = 5
"""Letters of a name in which one may be missing."""
_NAMES = re.compile(r"\w++")
_LIST_PARAMETER = re.compile(r"(: list\[[^():]*\])\) ->")
_LAST_RETURN = re.compile(r"^return (?=[^\n]*\Z)", re.MULTILINE)
_IDLE = ("os", "sys", "json", "time")
"""Modules that no recipe needs."""


def first_draft(recipe: Recipe, request: str) -> str:
    """The first version of a function that a request asks for, with its slips."""
    return spoilt(recipe, random.Random(f"code {request.strip().casefold()}"))  # noqa: S311  a draft is no secret


def spoilt(recipe: Recipe, draw: random.Random) -> str:
    """The source of a recipe with one to four slips, each of a kind that its checker can name."""
    fitting = [slip for slip in _SLIPS if slip(recipe, random.Random(0)) != recipe]  # noqa: S311
    chosen = draw.sample(fitting, k=min(len(fitting), draw.choice((1, 2, 2, 3, 3, 4))))
    for slip in (slip for slip in _SLIPS if slip in chosen):
        recipe = slip(recipe, draw)
    return _without_colon(recipe.source, draw) if draw.random() < 0.3 else recipe.source  # noqa: PLR2004


def _with_missing_letter(recipe: Recipe, draw: random.Random) -> Recipe:
    """A letter is missing from a name where it is used last."""
    nodes = ast.walk(ast.parse(recipe.source))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    before, newline, last = recipe.body.rpartition("\n")
    in_loop = _NAMES.findall(last.partition("for ")[2].rpartition(" in")[0])
    for name in sorted(stored.difference(in_loop), key=lambda name: (-len(name), name)):
        at = draw.randrange(1, max(2, len(name) - 1))
        slip = name[:at] + name[at + 1 :]
        used = next((found for found in _NAMES.finditer(last) if found[0] == name), None)
        if len(name) >= _SHORTEST_WITH_SLIP and used and slip not in recipe.body:
            return replace(recipe, body=f"{before}{newline}{last[: used.start()]}{slip}{last[used.end() :]}")
    return recipe


def _without_colon(source: str, draw: random.Random) -> str:
    lines = source.splitlines()
    place = draw.choice([place for place, line in enumerate(lines) if line.endswith(":")])
    lines[place] = lines[place].removesuffix(":")
    return "\n".join(lines) + "\n"


_SLIPS: tuple[Callable[[Recipe, random.Random], Recipe], ...] = (
    _with_missing_letter,
    lambda recipe, _: replace(recipe, doc=""),
    lambda recipe, _: replace(recipe, signature=_LIST_PARAMETER.sub(r"\1 = []) ->", recipe.signature)),
    lambda recipe, _: replace(recipe, imports=recipe.imports[:-1]),
    lambda recipe, draw: replace(recipe, imports=[f"import {draw.choice(_IDLE)}", *recipe.imports]),
    lambda recipe, _: replace(recipe, body=_LAST_RETURN.sub("", recipe.body)),
)
"""What can be wrong with a recipe: each gives it with one thing wrong, or as it is where that does not fit."""
