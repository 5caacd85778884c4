"""Hostile texts made from a pattern: what leads to each of its repeats, what is repeated, and what cannot follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from tests.architecture.hostile_text import GENERIC, STRANGE, Attack

_parser: Any = re._parser  # undocumented, but the only parser that agrees with `re`; the tests of the measure watch it
_compiler: Any = re._compiler

# One of each kind of character, the plainest first: kinds that a pattern does not tell apart are tried once.
_ALPHABET = "a A0 \n\t_-.,:;!?'\"`~*#=+/\\|<>()[]{}$%&@^é\u0301日あ\r\x00\u2028\u3000\ue000"
_ORDERS = (_ALPHABET, " \n\t" + _ALPHABET, "0-_" + _ALPHABET)
_REST = "".join(map(chr, range(0x20, 0x3000)))
_MOST_ELEMENTS = 5
"""Kinds of characters tried for one repeat."""


def made_for(pattern: re.Pattern[str]) -> list[Attack]:
    """Texts for a pattern: the generic ones, and ones made of what leads to a repeat, what it repeats, what cannot follow.

    Of texts that the pattern cannot tell apart there is one.
    """
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    sets = [_set_of(node, pattern.flags) for node in _sets(parsed)]
    literals = {*_literals(parsed)}

    def kind(character: str) -> tuple[object, ...]:
        return tuple(of.match(character) is not None for of in sets)

    kinds = tuple({kind(one): one for one in reversed(_ALPHABET + "".join(sorted(literals)))}.values())[::-1]
    attacks = [*(Attack("", one) for one in kinds), *(Attack("", one, STRANGE) for one in kinds)]
    for order in _ORDERS:
        sampler = _Sampler(order, pattern.flags)
        for head, node in sampler.repeats(parsed, ""):
            attacks += _around(head, _elements(node, sampler, kinds), kinds)
        attacks += _again(sampler.sample(parsed))
    attacks += (Attack("", f"{word} ") for word in _words(parsed))

    @cache
    def same(character: str) -> tuple[object, ...]:
        spelt = character.casefold() if pattern.flags & re.IGNORECASE else character
        return (*kind(character), spelt if spelt in literals or character in literals else "", character == "\n")

    distinct = {tuple(tuple(map(same, part)) for part in attack): attack for attack in (*GENERIC, *attacks) if attack.unit}
    return [*distinct.values()]


def _around(head: str, elements: Iterable[str], kinds: Iterable[str]) -> Iterator[Attack]:
    yield from _again(head)
    for element in elements:
        other = next((kind for kind in kinds if kind not in element), STRANGE)
        for tail in dict.fromkeys(("", other, f"{other}\n{STRANGE}", f"\n\n{STRANGE}")):
            yield Attack(head, element, tail)
        yield from _again(head + element)
        yield Attack("", head + element * 3, STRANGE)


def _again(unit: str) -> Iterator[Attack]:
    for repeated in (unit, f"{unit} ", f"{unit}\n", f"\n{unit}", unit[:-1]):
        if repeated:
            yield Attack("", repeated)
            yield Attack("", repeated, STRANGE)


def _elements(node: tuple[Any, Any], sampler: _Sampler, kinds: tuple[str, ...]) -> list[str]:
    """What the repeat `node` may repeat: one character of each kind that it takes, or a sample of what it takes."""
    inner = node[1][2]
    if len(inner) == 1 and _is_single(inner[0]):
        own = _set_of(inner[0], sampler.flags)
        return [kind for kind in kinds if own.match(kind)][:_MOST_ELEMENTS]
    return list(dict.fromkeys((sampler.sample(inner), sampler.fullest(inner))))


class _Sampler:
    """Short texts that parts of a pattern match. Assertions are not checked: a text is an attack, not an example.

    Args:
        order: The characters to choose from, first choice first.
        flags: The flags of the pattern.
    """

    def __init__(self, order: str, flags: int) -> None:
        self.order = order
        self.flags = flags
        self._groups: dict[int, str] = {}

    def sample(self, nodes: Iterable[tuple[Any, Any]]) -> str:
        """The shortest text that `nodes` match."""
        return "".join(self._sample_of(node, optional=0) for node in nodes)

    def fullest(self, nodes: Iterable[tuple[Any, Any]]) -> str:
        """A text that `nodes` match, with one of everything that may be left out."""
        return "".join(self._sample_of(node, optional=1) for node in nodes)

    def repeats(self, nodes: Iterable[tuple[Any, Any]], head: str) -> Iterator[tuple[str, tuple[Any, Any]]]:
        """Each repeat in `nodes` that has no small bound, with a text that leads to it."""
        for node in nodes:
            operator, argument = str(node[0]), node[1]
            if operator in _REPEATS:
                if argument[1] is _parser.MAXREPEAT or argument[1] > _SMALL:
                    yield head, node
                yield from self.repeats(argument[2], head)
                if argument[0] == 0:  # what follows it, after one of it too
                    yield from self._after_one(nodes, node, head)
            elif operator == "BRANCH":
                for branch in argument[1]:
                    yield from self.repeats(branch, head)
            else:
                for inner in _inside(node):
                    yield from self.repeats(inner, head)
            head += self._sample_of(node, optional=0)

    def _after_one(self, nodes: Iterable[tuple[Any, Any]], node: tuple[Any, Any], head: str) -> Iterator[Any]:
        rest = list(nodes)
        rest = rest[next(at for at, one in enumerate(rest) if one is node) + 1 :]
        taken = self._sample_of(node, optional=1)
        for follower in rest[:3]:
            if str(follower[0]) in _REPEATS and follower[1][1] is _parser.MAXREPEAT:
                yield head + taken, follower
            taken += self._sample_of(follower, optional=0)

    def _sample_of(self, node: tuple[Any, Any], *, optional: int) -> str:  # noqa: PLR0911  one for each kind of node
        operator, argument = str(node[0]), node[1]
        again: Callable[[Any], str] = self.fullest if optional else self.sample
        if _is_single(node):
            own = _set_of(node, self.flags)
            candidates = (chr(argument),) if operator == "LITERAL" else self.order + _REST
            return next((one for one in candidates if own.match(one)), "")
        if operator in _REPEATS:
            least = max(argument[0], min(optional, argument[1]))
            return again(argument[2]) * min(least, _SMALL)
        if operator == "BRANCH":
            return again(argument[1][0])
        if operator == "SUBPATTERN":
            text = again(argument[3])
            if argument[0] is not None:
                self._groups[argument[0]] = text
            return text
        if operator == "ATOMIC_GROUP":
            return again(argument)
        if operator == "GROUPREF":
            return self._groups.get(argument, "")
        if operator == "ASSERT" and argument[0] < 0:
            return again(argument[1])
        return ""


_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_SINGLE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
_SMALL = 40
"""A repeat that is bounded by no more costs a constant factor at most."""


def _is_single(node: tuple[Any, Any]) -> bool:
    return str(node[0]) in _SINGLE


def _inside(node: tuple[Any, Any]) -> list[Any]:
    """The sequences that a node is made of."""
    operator, argument = str(node[0]), node[1]
    match operator:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            found = [argument[2]]
        case "BRANCH":
            found = list(argument[1])
        case "SUBPATTERN":
            found = [argument[3]]
        case "ATOMIC_GROUP":
            found = [argument]
        case "ASSERT" | "ASSERT_NOT":
            found = [argument[1]]
        case "GROUPREF_EXISTS":
            found = [part for part in argument[1:] if part is not None]
        case _:
            found = []
    return found


def _walk(nodes: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for node in nodes:
        yield node
        for inner in _inside(node):
            yield from _walk(inner)


def _sets(parsed: Any) -> list[tuple[Any, Any]]:
    """The sets of characters that a pattern tells apart, those of its repeats and word boundaries among them."""
    repeated = [node[1][2][0] for node in _walk(parsed) if str(node[0]) in _REPEATS and len(node[1][2]) == 1]
    sets = [node for node in _walk(parsed) if _is_single(node) and str(node[0]) != "LITERAL"]
    distinct = {repr(node): node for node in (*sets, *filter(_is_single, repeated), *_parser.parse(r"\w"))}
    return [*distinct.values()]


def _literals(parsed: Any) -> Iterator[str]:
    for operator, argument in _walk(parsed):
        if str(operator) in ("LITERAL", "NOT_LITERAL"):
            yield chr(argument)
        elif str(operator) == "IN":
            for kind, value in argument:
                if str(kind) == "LITERAL":
                    yield chr(value)
                elif str(kind) == "RANGE":
                    yield chr(value[0])


def _words(parsed: Any) -> list[str]:
    """The words that a pattern spells out."""
    found: list[str] = []

    def look(nodes: Any) -> None:
        word = ""
        for node in nodes:
            if str(node[0]) == "LITERAL":
                word += chr(node[1])
                continue
            found.append(word)
            word = ""
            for inner in _inside(node):
                look(inner)
        found.append(word)

    look(parsed)
    return [word for word in dict.fromkeys(found) if len(word) > 1]


def _set_of(node: tuple[Any, Any], flags: int) -> re.Pattern[str]:
    """A pattern of the one character that a node takes."""
    return _compiled(_Key(repr(node), flags, node))


class _Key:
    """A node as a key: nodes hold lists."""

    def __init__(self, name: str, flags: int, node: tuple[Any, Any]) -> None:
        self.name, self.flags, self.node = name, flags, node

    def __hash__(self) -> int:
        return hash((self.name, self.flags))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and (self.name, self.flags) == (other.name, other.flags)


@lru_cache(maxsize=10_000)
def _compiled(key: _Key) -> re.Pattern[str]:
    state = _parser.State()
    state.flags = key.flags
    state.str = ""
    return _compiler.compile(_parser.SubPattern(state, [key.node]), key.flags)
