"""Reads simple requests in Japanese and Chinese: one list, one verb and its entries in a sentence. The words are data.

A request that is not understood as a whole is ignored, so that nothing is changed by mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.models.simulated.language.words import any_of, words_beside
from agents.pipelines.planning_mode.lists import MOST_LETTERS, MOST_LETTERS_OF_A_CLAUSE, MOST_STEPS, Step

_DATA = words_beside(__file__, "requests.toml")


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: key for key, words in table.items() for word in words.split()}


_PATHS, _VERBS = _by_word(_DATA["lists"]), _by_word(_DATA["verbs"])
_NEGATIONS, _GO_AHEAD = _DATA["negations"].split(), _DATA["go_ahead"].split()
_OPENING, _CLOSING, _AFTER_LIST, _BEFORE_WORD = (
    sorted(_DATA["trimmed"][key].split(), key=len, reverse=True)
    for key in ("opening", "closing", "after_list", "before_word")
)
_LIST, _VERB = re.compile(any_of(_PATHS), re.IGNORECASE), re.compile(any_of(_VERBS))
_BETWEEN = re.compile(any_of(_DATA["between"].split()))
_CLAUSE = re.compile(r"[。！？!?；;\n]")
_AROUND = " \t\u3000「」『』“”\"'、，,"


class CjkRequest(NamedTuple):
    """The steps that a message asks for, and the lists that it asks to see."""

    steps: list[Step]
    shown: list[str]


def read_cjk_request(message: str, paths: Sequence[str]) -> CjkRequest:
    """What a message asks for; nothing if a sentence of it is not understood."""
    steps: dict[Step, None] = {}
    shown: list[str] = []
    for clause in _CLAUSE.split(message[: MOST_STEPS * MOST_LETTERS_OF_A_CLAUSE]):
        if not clause.strip(_AROUND):
            continue
        found, verb = _LIST.search(clause), _VERB.search(clause)
        path = next((path for word, path in _PATHS.items() if found and word.lower() == found[0].lower()), "")
        if not (found and verb) or path not in paths or any(word in clause for word in _NEGATIONS):
            return CjkRequest([], [])
        match _VERBS[verb[0]]:
            case "show":
                shown.append(path)
            case verb_kind:
                kind = "add" if verb_kind == "add" else "remove"
                if not (entries := _entries(clause[:MOST_LETTERS_OF_A_CLAUSE], found, verb)):
                    return CjkRequest([], [])
                steps |= dict.fromkeys(Step(kind, path, entry) for entry in entries)
    return CjkRequest([*steps][:MOST_STEPS], [] if steps else [*dict.fromkeys(shown)])


def tells_to_go_ahead(message: str) -> bool:
    """Whether a short message says that the plan is to be carried out."""
    return len(message) <= MOST_LETTERS and any(word in message for word in _GO_AHEAD)


def _entries(clause: str, a_list: re.Match[str], verb: re.Match[str]) -> list[str]:
    """The entries in a clause: they stand in one piece before, between or after the list and the verb; else none."""
    first, second = sorted((a_list, verb), key=lambda found: found.start())
    before, between = clause[: first.start()], clause[first.end() : second.start()]
    pieces = [_without_end(before, _BEFORE_WORD), _without_end(between, _BEFORE_WORD), clause[second.end() :]]
    place = 1 + (second is a_list)
    pieces[place] = _without_beginning(pieces[place], _AFTER_LIST)
    while (shorter := _without_beginning(pieces[0], _OPENING)) != pieces[0]:
        pieces[0] = shorter
    while (shorter := _without_end(pieces[2], _CLOSING)) != pieces[2]:
        pieces[2] = shorter
    said = [piece for piece in pieces if piece.strip(_AROUND)]
    if len(said) != 1 or _VERB.search(said[0]) or _LIST.search(said[0]):
        return []
    return [entry[:MOST_LETTERS] for piece in _BETWEEN.split(said[0]) if (entry := piece.strip(_AROUND))]


def _without_beginning(text: str, words: Sequence[str]) -> str:
    text = text.strip(_AROUND)
    return next((text.removeprefix(word) for word in words if text.startswith(word)), text)


def _without_end(text: str, words: Sequence[str]) -> str:
    text = text.strip(_AROUND)
    return next((text.removesuffix(word) for word in words if text.endswith(word)), text)
