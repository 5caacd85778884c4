"""The simulated writer: reads what function is wanted, and writes it with flaws that follow from the request's own draw.

What it does not know how to write becomes a function that says so. Knows no checker.
"""

from __future__ import annotations

import ast
import keyword
import random
import re
from collections.abc import Callable
from dataclasses import replace

from agents.pipelines.code_refinement.algorithms import algorithms_named_in
from agents.pipelines.code_refinement.recipes import RECIPES, Recipe

MOST_READ = 2_000
INDENT = "    "

_PICKED = {
    "even": "number % 2 == 0",
    "odd": "number % 2 == 1",
    "positive": "number > 0",
    "negative": "number < 0",
}
_TAKEN = (
    (re.compile(r"\bproduct|\bmultipl"), "product", "math.prod(chosen)", "The product"),
    (re.compile(r"\bsum|\badd|\btotal"), "sum", "sum(chosen)", "The sum"),
    (re.compile(r"\bcount|\bhow many"), "count", "len(chosen)", "The count"),
    (re.compile(r"\blargest|\bbiggest|\bmax"), "largest", "max(chosen, default=0)", "The largest"),
    (re.compile(r"\bsmallest|\bleast|\bmin"), "smallest", "min(chosen, default=0)", "The smallest"),
)
_UNITS = {
    ("miles", "kilometers"): "1.609344",
    ("pounds", "kilograms"): "0.45359237",
    ("feet", "meters"): "0.3048",
    ("inches", "centimeters"): "2.54",
    ("hours", "minutes"): "60",
    ("minutes", "seconds"): "60",
    ("days", "hours"): "24",
    ("weeks", "days"): "7",
}
_RECIPES = [(re.compile(recipe.asked_by), recipe) for recipe in RECIPES]
_CONVERSIONS = [
    (re.compile(rf"\b{source[:-1]}\w*+\b.{{0,20}}\b(?:to|into|in)\b.{{0,10}}\b{target[:-1]}"), source, target, sign, factor)
    for (large, small), factor in _UNITS.items()
    for source, target, sign in ((large, small, "*"), (small, large, "/"))
]
_WORDS = re.compile(r"[^\W\d_]+")
_NAMES = re.compile(r"\w++")
_CALLS = re.compile(r"\b(\w++)\(([\w\s,]{1,200}+)\)")
_OF_NUMBERS = re.compile(r"\bnumbers\b|\blist\b|\bvalues\b")
_OF_TEXT = re.compile(r"digit|word|letter")
_LIST_PARAMETER = re.compile(r"(: list\[[^():]*\])\) ->")
_TEXT = re.compile(r"\btext\b")
_STOP = frozenset(
    """a an and any are as be by called can code def find for from function get give given gives i if in into is it its make
    me method my named new of on one or please program python return returning returns script short simple small some that
    the then this to two want which will with write you""".split()  # noqa: SIM905
)


def write(request: str, wanted: str | None) -> str:
    """A first version of what a request asks for, with its flaws.

    Args:
        request: What is wanted, in plain words.
        wanted: The name that the function is to have, None to choose one.
    """
    draw = random.Random(f"code {request.strip().casefold()}")  # noqa: S311  a draft is no secret
    recipe = recipe_for(request)
    if recipe is None:
        return skeleton(request, wanted)
    return spoilt(_named(recipe, wanted), draw)


def recipe_for(request: str) -> Recipe | None:
    """How to write what a request asks for; None if that is not known.

    An algorithm that is asked for by name is kept to: a recipe that does not implement it is none.
    """
    text = request[:MOST_READ].lower().replace("_", " ")
    found = _conversion(text) or _of_numbers(text)
    recipe = found or next((recipe for asked_by, recipe in _RECIPES if asked_by.search(text)), None)
    return recipe if recipe and set(recipe.implements).issuperset(algorithms_named_in(text)) else None


def skeleton(request: str, wanted: str | None) -> str:
    """A function that says honestly that it is not written."""
    words = _WORDS.findall(request[:MOST_READ].lower())
    chosen = [word for word in words if word not in _STOP and word.isidentifier()][:3]
    name = wanted or "_".join(chosen) or "answer"
    asked = " ".join(chosen) or "this"
    if not _may_be_name(name):
        name += "_"
    given = next((call[2] for call in _CALLS.finditer(request) if call[1] == name), "")
    parameters = [one for one in (part.strip() for part in given.split(",")) if _may_be_name(one)]
    listed = ", ".join(f"{parameter}: object" for parameter in dict.fromkeys(parameters or ["value"]))
    body = f'raise NotImplementedError("I do not know how to write: {asked}")'
    return assembled(Recipe("", f"{name}({listed}) -> object", "", body))


def assembled(recipe: Recipe) -> str:
    """The whole source of a recipe; no docstring where it has none."""
    doc = [f'{INDENT}"""{recipe.doc}"""'] if recipe.doc else []
    body = [f"{INDENT}{line}" if line else "" for line in recipe.body.splitlines()]
    imports = [*recipe.imports, "", ""] if recipe.imports else []
    return "\n".join([*imports, f"def {recipe.signature}:", *doc, *body]) + "\n"


def spoilt(recipe: Recipe, draw: random.Random) -> str:
    """The source of a recipe with one to four flaws, each of a kind that its checker can name."""
    fitting = [flaw for flaw in _FLAWS if flaw(recipe, random.Random(0)) != recipe]  # noqa: S311
    chosen = draw.sample(fitting, k=min(len(fitting), draw.choice((1, 2, 2, 3, 3, 4))))
    for flaw in (flaw for flaw in _FLAWS if flaw in chosen):
        recipe = flaw(recipe, draw)
    source = assembled(recipe)
    return _without_colon(source, draw) if draw.random() < 0.3 else source  # noqa: PLR2004  less often than not


def _may_be_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _named(recipe: Recipe, wanted: str | None) -> Recipe:
    """A recipe under the name that is wanted."""
    if wanted is None or not _may_be_name(wanted):
        return recipe
    return replace(recipe, signature=f"{wanted}({recipe.signature.partition('(')[2]}")


def _conversion(text: str) -> Recipe | None:
    for asked_by, source, target, sign, factor in _CONVERSIONS:
        if asked_by.search(text):
            body = f"per_unit = {factor}\nreturn {source} {sign} per_unit"
            signature = f"{source}_to_{target}({source}: float) -> float"
            return Recipe("", signature, f"Convert {source} to {target}.", body)
    return None


def _of_numbers(text: str) -> Recipe | None:
    """A recipe for the sum, the count, … of all numbers, or of the even, odd, … ones."""
    words = frozenset(_NAMES.findall(text))
    picked = next((word for word in _PICKED if word in words), None)
    taken = next((found for found in _TAKEN if found[0].search(text)), None)
    if not (_OF_NUMBERS.search(text) and (picked or taken)) or _OF_TEXT.search(text):
        return None
    which = f"{picked}_" if picked else ""
    condition = f" if {_PICKED[picked]}" if picked else ""
    name, value, what = (taken[1], taken[2], taken[3]) if taken else ("", "chosen", "Those")
    body = f"chosen = [number for number in numbers{condition}]\nreturn {value}"
    signature = f"{name}_of_{which}numbers" if name else f"{which}numbers"
    doc = f"{what} of the {picked or 'given'} numbers." if taken else f"Return the {picked} ones of some numbers."
    result = "int" if taken else "list[int]"
    imports = ("import math",) if "math." in value else ()
    return Recipe("", f"{signature}(numbers: list[int]) -> {result}", doc, body, imports)


# -- flaws: each gives a recipe with one thing wrong, or the same recipe where it does not fit


def _without_doc(recipe: Recipe, _draw: random.Random) -> Recipe:
    return replace(recipe, doc="")


def _with_idle_import(recipe: Recipe, draw: random.Random) -> Recipe:
    idle = draw.choice([name for name in ("os", "sys", "json", "time") if f"{name}." not in recipe.body])
    return replace(recipe, imports=(f"import {idle}", *recipe.imports))


def _without_import(recipe: Recipe, _draw: random.Random) -> Recipe:
    return replace(recipe, imports=recipe.imports[:-1])


def _with_mutable_default(recipe: Recipe, _draw: random.Random) -> Recipe:
    signature = _LIST_PARAMETER.sub(r"\1 = []) ->", recipe.signature)
    return replace(recipe, signature=signature)


def _with_slip(recipe: Recipe, draw: random.Random) -> Recipe:
    """A letter is missing from a name where it is used last."""
    tree = ast.parse(assembled(recipe))
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    before, newline, last = recipe.body.rpartition("\n")
    for name in sorted(stored, key=len, reverse=True):
        at = draw.randrange(1, max(2, len(name) - 1))
        slip = name[:at] + name[at + 1 :]
        used = next((found for found in _NAMES.finditer(last) if found[0] == name), None)
        if len(name) > 4 and used and slip not in recipe.body and name not in _loop_names(last):  # noqa: PLR2004
            return replace(recipe, body=f"{before}{newline}{last[: used.start()]}{slip}{last[used.end() :]}")
    return recipe


def _loop_names(line: str) -> list[str]:
    """The names between the first "for" of a line and its last "in"."""
    return _NAMES.findall(line.partition("for ")[2].rpartition(" in")[0])


def _without_return(recipe: Recipe, _draw: random.Random) -> Recipe:
    before, newline, last = recipe.body.rpartition("\n")
    return replace(recipe, body=before + newline + last.removeprefix("return "))


def _with_hiding_name(recipe: Recipe, _draw: random.Random) -> Recipe:
    """A parameter is called like something built in."""
    if "(text:" not in recipe.signature:
        return recipe
    body = _TEXT.sub("input", recipe.body)
    return replace(recipe, signature=recipe.signature.replace("(text:", "(input:"), body=body)


def _without_colon(source: str, draw: random.Random) -> str:
    lines = source.splitlines()
    with_colon = [place for place, line in enumerate(lines) if line.endswith(":")]
    place = draw.choice(with_colon)
    lines[place] = lines[place].removesuffix(":")
    return "\n".join(lines) + "\n"


_FLAWS: tuple[Callable[[Recipe, random.Random], Recipe], ...] = (
    _with_slip,
    _without_doc,
    _with_mutable_default,
    _without_import,
    _with_idle_import,
    _with_hiding_name,
    _without_return,
)
