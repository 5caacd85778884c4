"""The small functions that the simulated writer can write, and how a request asks for one."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.models.simulated.language.words import any_of, words_beside

MOST_READ = 2_000
INDENT = "    "


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function, ready to be put together.

    Attributes:
        asked_by: Regular expression that a request for it matches.
        signature: Name, parameters and result, e.g. "mean(numbers: list[float]) -> float".
        doc: Its docstring; "" for none.
        body: Its lines, indented as within the function.
        imports: Import statements that it needs.
        implements: The names in `algorithms.toml` that it may be asked for by.
    """

    asked_by: str
    signature: str
    doc: str
    body: str
    imports: Sequence[str] = ()
    implements: Sequence[str] = ()

    @property
    def source(self) -> str:
        """The whole function with its imports."""
        doc = [f'{INDENT}"""{self.doc}"""'] if self.doc else []
        body = [f"{INDENT}{line}" if line else "" for line in self.body.splitlines()]
        imports = [*self.imports, "", ""] if self.imports else []
        return "\n".join([*imports, f"def {self.signature}:", *doc, *body]) + "\n"

    def named(self, name: str | None) -> Recipe:
        """The same under the name that is wanted, where that can be a name."""
        if name is None or not may_be_name(name):
            return self
        return replace(self, signature=f"{name}({self.signature.partition('(')[2]}")


_DATA: dict[str, Any] = words_beside(__file__, "recipes.toml")
RECIPES = [Recipe(**recipe) for recipe in _DATA["recipes"]]

_SPELLINGS: dict[str, str] = {
    spelling: name for name, spellings in words_beside(__file__, "algorithms.toml").items() for spelling in spellings
}
_ANY_SPELLING = any_of(_SPELLINGS).replace(r"[\s-]", "[ -]?")
_ALGORITHM = re.compile(rf"(?<!\w)(?:{_ANY_SPELLING})(?!\w)")
_BLANKS = re.compile(r"[ -]")
_BY_LETTERS = {_BLANKS.sub("", spelling): name for spelling, name in _SPELLINGS.items()}
ALGORITHMS = frozenset(_SPELLINGS.values())
"""The names of algorithms and ways of working that a request may ask for."""
_ASKED_BY = [(re.compile(recipe.asked_by), recipe) for recipe in RECIPES]
_TAKEN = [(re.compile(taken["asked_by"]), taken) for taken in _DATA["taken"]]
_WORDS = re.compile(r"[^\W\d_]+")
_NAMES = re.compile(r"\w++")
_CALLS = re.compile(r"\b(\w++)\(([\w\s,]{1,200}+)\)")
_OF_NUMBERS = re.compile(r"\bnumbers\b|\blist\b|\bvalues\b")
_OF_TEXT = re.compile(r"digit|word|letter")
_IDLE_WORDS = frozenset(_DATA["idle_words"].split())


def recipe_for(request: str) -> Recipe | None:
    """How to write what a request asks for; None if that is not known.

    An algorithm that is asked for by name is kept to: a recipe that does not implement it is none.
    """
    text = request[:MOST_READ].lower().replace("_", " ")
    recipe = _of_numbers(text) or next((recipe for asked_by, recipe in _ASKED_BY if asked_by.search(text)), None)
    return recipe if recipe and set(recipe.implements).issuperset(algorithms_named_in(text)) else None


def algorithms_named_in(request: str) -> list[str]:
    """The names of the algorithms and ways of working in a request, each once.

    Args:
        request: The request in lower case, with blanks for underscores.
    """
    return list(dict.fromkeys(_BY_LETTERS[_BLANKS.sub("", found[0])] for found in _ALGORITHM.finditer(request)))


def outline(request: str, name: str | None) -> str:
    """A function that says honestly that it is not written."""
    words = _WORDS.findall(request[:MOST_READ].lower())
    chosen = [word for word in words if word not in _IDLE_WORDS and word.isidentifier()][:3]
    name = name or "_".join(chosen) or "answer"
    name = name if may_be_name(name) else f"{name}_"
    given = next((call[2] for call in _CALLS.finditer(request) if call[1] == name), "")
    parameters = [one for one in (part.strip() for part in given.split(",")) if may_be_name(one)]
    listed = ", ".join(f"{parameter}: object" for parameter in dict.fromkeys(parameters or ["value"]))
    body = f'raise NotImplementedError("I do not know how to write: {" ".join(chosen) or "this"}")'
    return Recipe("", f"{name}({listed}) -> object", "", body).source


def may_be_name(text: str) -> bool:
    """Whether Python takes a text as the name of a function."""
    return text.isidentifier() and not keyword.iskeyword(text)


def _of_numbers(text: str) -> Recipe | None:
    """A recipe for the sum, the count, … of all numbers, or of the even, odd, … ones."""
    words = frozenset(_NAMES.findall(text))
    picked = next((word for word in _DATA["picked"] if word in words), "")
    taken = next((taken for asked_by, taken in _TAKEN if asked_by.search(text)), None)
    if not (_OF_NUMBERS.search(text) and (picked or taken)) or _OF_TEXT.search(text):
        return None
    chosen = f"[number for number in numbers{' if ' if picked else ''}{_DATA['picked'].get(picked, '')}]"
    of = "_".join(filter(None, (picked, "numbers")))
    if taken is None:
        doc, body = f"Return the {picked} ones of some numbers.", f"chosen = {chosen}\nreturn chosen"
        return Recipe("", f"{of}(numbers: list[int]) -> list[int]", doc, body)
    signature = f"{taken['name']}_of_{of}(numbers: list[int]) -> int"
    doc, body = f"The {taken['name']} of the {picked or 'given'} numbers.", f"chosen = {chosen}\nreturn {taken['value']}"
    return Recipe("", signature, doc, body, taken.get("imports", ()))
