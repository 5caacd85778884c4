"""The small functions that the simulated writer can write, and the forms in which a request asks for one."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.models.simulated.language.detect import answer_language
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message
from agents.pipelines.code_refinement.checker import name_in

INDENT = "    "
_WAYS_OF = "en", "ja", "zh"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function, ready to be put together.

    Attributes:
        signature: Name, parameters and result, e.g. "mean(numbers: list[float]) -> float".
        doc: Its docstring; "" for none.
        body: Its lines, indented as within the function.
        imports: Import statements that it needs.
        en: How a request in English asks for it: way → form. So do `ja` and `zh` for theirs.
    """

    signature: str
    doc: str
    body: str
    imports: Sequence[str] = ()
    en: Mapping[str, str] = field(default_factory=dict[str, str])
    ja: Mapping[str, str] = field(default_factory=dict[str, str])
    zh: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.signature.partition("(")[0]

    @property
    def source(self) -> str:
        """The whole function with its imports."""
        doc = [f'{INDENT}"""{self.doc}"""'] if self.doc else []
        body = [f"{INDENT}{line}" if line else "" for line in self.body.splitlines()]
        imports = [*self.imports, "", ""] if self.imports else []
        return "\n".join([*imports, f"def {self.signature}:", *doc, *body]) + "\n"

    def named(self, name: str | None) -> Recipe:
        """The same under the name that is wanted, None for its own."""
        return self if name is None else replace(self, signature=f"{name}({self.signature.partition('(')[2]}")

    def taking(self, parameters: Sequence[str]) -> Recipe | None:
        """The same with its parameters called so, no matter how if there are none; None if that does not fit.

        Only a single parameter may be called by another name, one that is usual for its type.
        """
        own = _PARAMETER.findall(self.signature)
        if list(parameters) in ([], [name for name, _ in own]):
            return self
        if len(own) != 1 or len(parameters) != 1 or parameters[0] not in _DATA["parameters"][own[0][1]].split():
            return None
        names = {own[0][0]: parameters[0]}
        if parameters[0] in _WORD.findall(f"{self.signature}\n{self.body}"):
            return None
        signature, body = (_WORD.sub(lambda word: names.get(word[0], word[0]), text) for text in (self.signature, self.body))
        return replace(self, signature=signature, body=body)


_DATA: dict[str, Any] = words_beside(__file__, "simulation.toml")
_KNOWN: dict[str, Any] = words_beside(__file__, "recipes.toml")
_PARAMETER = re.compile(r"(?<!\w)(\w++): ([\w\[\]]++)(?=[,)])")
_WORD = re.compile(r"\w++")
_CALL = re.compile(r"(`?)([A-Za-z_]\w{0,60})(?:\(([\w, ]{0,120})\))?\1(?!\w)", re.ASCII)


def _written_out() -> Iterator[Recipe]:
    yield from (Recipe(**recipe) for recipe in _KNOWN["recipes"])
    for first, others in _KNOWN["conversions"].items():
        for second, factor in others.items():
            yield _conversion(first, second, "*", factor)
            yield _conversion(second, first, "/", factor)
    for picked, chosen in _KNOWN["picked"].items():
        yield from (
            _of_numbers(picked, chosen, name, made) for name, made in _KNOWN["taken"].items() if chosen["test"] or name
        )


def _conversion(first: str, second: str, sign: str, factor: float) -> Recipe:
    units: dict[str, dict[str, str]] = _KNOWN["units"]
    forms = {
        language: {way: form.format(first=units[first][language], second=units[second][language])}
        for language, ways in _KNOWN["conversion"].items()
        for way, form in ways.items()
    }
    body = f"per_unit = {factor}\nreturn {first} {sign} per_unit"
    return Recipe(f"{first}_to_{second}({first}: float) -> float", f"Convert {first} to {second}.", body, (), **forms)


def _of_numbers(picked: str, chosen: Mapping[str, str], taken: str, made: Mapping[str, Any]) -> Recipe:
    """What is made of all the numbers of a list, or of those that are picked."""
    kind, of = chosen["en"], "_".join(filter(None, (chosen["en"], "numbers")))
    filled = {
        "en": {
            "picked": f"[all] [the] {kind} numbers (in|from|of) <list>" if kind else "<numbers>",
            "those": f"{kind} numbers",
            "one": f"{kind} (number|integer|value)" if kind else "[number|integer|value|item|element]",
        },
        "ja": {"picked": f"[<list> の [中の]] {chosen['ja']}" if kind else "(<list>|数)"},
        "zh": {"picked": f"<list> [中|里] [的] [所有] {chosen['zh']}" if kind else "<list> [中|里] [所有数|所有数字]"},
    }
    forms = {
        language: {way: form.format(**filled[language]) for way, form in made[language].items()} for language in _WAYS_OF
    }
    body = f"chosen = [number for number in numbers{chosen['test']}]\nreturn {made['value']}"
    signature = f"{taken}_of_{of}(numbers: list[int]) -> int" if taken else f"{of}(numbers: list[int]) -> list[int]"
    doc = f"Return the {taken} of the {kind or 'given'} numbers." if taken else f"Return the {picked} ones of some numbers."
    return Recipe(signature, doc, body, made.get("imports", ()), **forms)


RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in _written_out()}


def _name_at(message: Message, at: int) -> Iterator[tuple[int, Any]]:
    """A name that a function may have."""
    for end, name, parameters in _calls_at(message, at):
        if parameters is None and may_be_name(name):
            yield end, name


def _known_at(message: Message, at: int, *, plain: bool) -> Iterator[tuple[int, Any]]:
    """The exact name of a function that is known, with parameters or none; if not `plain`, a word alone is none."""
    for end, name, parameters in _calls_at(message, at):
        given = tuple(filter(None, (one.strip() for one in (parameters or "").split(","))))
        is_call = plain or parameters is not None or "_" in name
        if name in RECIPES and is_call and RECIPES[name].taking(given):
            yield end, (name, given)


def _calls_at(message: Message, at: int) -> Iterator[tuple[int, str, str | None]]:
    tokens = message.tokens
    if at < len(tokens) and (found := _CALL.match(message.text, tokens[at].begin)):
        yield from ((end + 1, found[2], found[3]) for end in range(at, len(tokens)) if tokens[end].end == found.end())


def _forms() -> Forms:
    listed: dict[str, dict[str, list[str] | str]] = {language: dict(_DATA["forms"][language]) for language in _WAYS_OF}
    for language, ways in _DATA["ways"].items():
        for recipe in RECIPES.values():
            asked: Mapping[str, str] = getattr(recipe, language)
            listed[language][recipe.name] = [
                way.replace("{what}", f"({form})") for name, form in asked.items() for way in ways[name]
            ]
    kinds: dict[str, Callable[[Message, int], Iterator[tuple[int, Any]]]] = {
        "identifier": _name_at,
        "call": lambda message, at: _known_at(message, at, plain=False),
        "named": lambda message, at: _known_at(message, at, plain=True),
    }
    return Forms({**_DATA, "forms": listed}, kinds)


_FORMS = _forms()


def recipe_for(request: str) -> Recipe | None:
    """How to write what a request asks for, under the name that it wants; None if no form covers it."""
    reading = _FORMS.read(request)
    if reading is None or reading.form == "mend":
        return None
    name, parameters = reading.get("call", (reading.form, ()))
    recipe = RECIPES[name].taking(parameters)
    return recipe and recipe.named(name_in(request))


def asks_to_mend(text: str) -> bool:
    """Whether what stands beside code asks for no more than to mend it."""
    reading = _FORMS.read(text)
    return reading is not None and reading.form == "mend"


def refusal(request: str) -> Reply:
    """What can be asked for, and which functions are known."""
    names = ", ".join(recipe["signature"].partition("(")[0] for recipe in _KNOWN["recipes"])
    refused = _FORMS.refusal(request)
    return replace(refused, text=f"{refused.text} {_DATA['known'][answer_language(request)].format(names=names)}")


def no_code(request: str) -> str:
    """What is said in the language of a request that was refused already."""
    return _DATA["no_code"][answer_language(request)]


def may_be_name(text: str) -> bool:
    """Whether Python takes a text as the name of a function, and it hides nothing that is built in."""
    return text.isidentifier() and not keyword.iskeyword(text) and not hasattr(builtins, text)
