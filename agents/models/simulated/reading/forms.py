"""Reads a message by the forms of a pipeline, which are data, and refuses what no form covers.

A message is read if exactly one reading covers it from its first token to its last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from agents.models.simulated.language.detect import Language, answer_language, language_of
from agents.models.simulated.language.phrases import phrases_beside, unread
from agents.models.simulated.language.words import words_beside
from agents.models.simulated.model import Reply
from agents.models.simulated.reading.kinds import KINDS, Kind, Message
from agents.models.simulated.reading.notation import Choice, Literal, Nodes, Slot, parsed
from agents.models.simulated.reading.tokens import MOST_LETTERS, tokens_of

_WORDS = words_beside(__file__)
_SAID = phrases_beside(__file__, "refusals.toml")
_MOST_READINGS = 60
"""Readings of one stretch of a message, above which it is taken to have no reading at all."""

Values = tuple[tuple[str, Any], ...]
_Reached = dict[tuple[int, Values], None]
"""Where a reading has come to and what it has read, in the order of finding."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says: the name of its form, and the values of the slots in their order."""

    form: str
    values: Values

    def get(self, name: str, default: Any = None) -> Any:
        """The first value of a slot."""
        return next((value for slot, value in self.values if slot == name), default)

    def all(self, name: str) -> list[Any]:
        """The values of a slot, in their order; those of a rule are readings."""
        return [value for slot, value in self.values if slot == name]


class Forms:
    """The forms of one pipeline.

    Args:
        data: `forms`, language → name → forms; `rules`, the same; `examples`, language → messages that the forms read.
        kinds: Kinds of slots besides those of the engine.
    """

    def __init__(self, data: Mapping[str, Any], kinds: Mapping[str, Kind] | None = None) -> None:
        self.examples: dict[Language, list[str]] = data["examples"]
        self._kinds = {**KINDS, **(kinds or {})}
        self._grammars = {
            language: _grammar(language, forms, data.get("rules", {}).get(language, {}))
            for language, forms in data["forms"].items()
        }

    def read(self, message: str) -> Reading | None:
        """What a message says; None if no form covers it, or if more than one reading does."""
        text = message.strip()
        if not text or len(text) > MOST_LETTERS:
            return None
        tokens = tokens_of(text)
        readings: list[Reading] = []
        for language, (grammar, names) in self._grammars.items():
            search = _Search(Message(text, tokens, language), grammar, self._kinds)
            for values in search.whole("frame"):
                form = next(name for name, _ in values if name in names)
                inner = next(value for name, value in values if name == form)
                reading = Reading(form, inner.values)
                readings += [reading] if reading not in readings else []
        return readings[0] if len(readings) == 1 else None

    def refusal(self, message: str, *, calls: Sequence[tuple[str, Mapping[str, Any]]] = ()) -> Reply:
        """What can be said here, in the language of a message, with the examples; in English for other languages.

        Args:
            message: What is not read.
            calls: Tools to call all the same, as (name, arguments).
        """
        language = answer_language(message)
        first, second = self.examples[language][:2]
        said = _SAID.say(language, "refusal", first=first, second=second)
        text = said if language_of(message) else f"{unread()} {said}"
        return Reply(text, calls=calls, examples=(first, second))


@cache
def forms_beside(module: str) -> Forms:
    """The forms in `simulation.toml` beside a module."""
    return Forms(words_beside(module, "simulation.toml"))


def _grammar(
    language: str, forms: Mapping[str, Any], rules: Mapping[str, Any]
) -> tuple[dict[str, list[Nodes]], frozenset[str]]:
    """The rules of a language, its frames below "frame", and the names of its forms."""
    shared: dict[str, Any] = _WORDS["rules"].get(language, {})
    named = {"frame": _WORDS["frames"][language], **shared, **rules, **forms}
    grammar: dict[str, list[Nodes]] = {name: [parsed(form) for form in _listed(written)] for name, written in named.items()}
    grammar["form"] = [(Slot(name, name),) for name in forms]
    return grammar, frozenset(forms)


def _listed(written: str | list[str]) -> list[str]:
    return [written] if isinstance(written, str) else written


class _Search:
    """The readings of one message; each node is tried at each token at most once."""

    def __init__(self, message: Message, grammar: Mapping[str, list[Nodes]], kinds: Mapping[str, Kind]) -> None:
        self._message = message
        self._grammar = grammar
        self._kinds = kinds
        self._found: dict[tuple[Any, int], _Reached] = {}

    def whole(self, rule: str) -> list[Values]:
        """The readings by a rule that end where the message does."""
        last = len(self._message.tokens)
        return [values for end, values in self._rule(rule, 0) if end == last]

    def _rule(self, name: str, at: int) -> _Reached:
        if (name, at) not in self._found:
            self._found[name, at] = self._options(self._grammar[name], at)
        return self._found[name, at]

    def _options(self, options: Iterable[Nodes], at: int) -> _Reached:
        reached: _Reached = {}
        for option in options:
            reached |= self._sequence(option, at)
        return reached if len(reached) <= _MOST_READINGS else {}

    def _sequence(self, nodes: Nodes, at: int) -> _Reached:
        reached: _Reached = {(at, ()): None}
        for node in nodes:
            reached = {
                (end, (*before, *values)): None for begin, before in reached for end, values in self._node(node, begin)
            }
            if not 0 < len(reached) <= _MOST_READINGS:
                return {}
        return reached

    def _node(self, node: Literal | Slot | Choice, at: int) -> _Reached:
        if isinstance(node, Literal):
            tokens = self._message.tokens
            return {(at + 1, ()): None} if at < len(tokens) and tokens[at].key == node.key else {}
        if (node, at) not in self._found:
            self._found[node, at] = self._slot(node, at) if isinstance(node, Slot) else self._choice(node, at)
        return self._found[node, at]

    def _slot(self, slot: Slot, at: int) -> _Reached:
        if slot.kind in self._grammar:
            found = self._rule(slot.kind, at)
            if not slot.name:
                return found
            return {(end, ((slot.name, Reading(slot.kind, values)),)): None for end, values in found}
        return {(end, ((slot.name, value),)): None for end, value in self._kinds[slot.kind](self._message, at)}

    def _choice(self, choice: Choice, at: int) -> _Reached:
        if not choice.repeats:
            return self._options(choice.options, at)
        reached: _Reached = {(at, ()): None}
        newest = reached
        while newest:
            further: _Reached = {}
            for begin, before in newest:
                for end, values in self._options(choice.options, begin):
                    if end > begin:
                        further[end, (*before, *values)] = None
            newest = further
            reached |= further
            if len(reached) > _MOST_READINGS:
                return {}
        return reached
