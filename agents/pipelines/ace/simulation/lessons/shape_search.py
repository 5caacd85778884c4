"""Finds the shape behind questions and answers: what the questions have in common, and how the rest makes the answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from heapq import heappop, heappush
from itertools import count, pairwise, repeat
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain
from agents.pipelines.ace.simulation.expressions.notations import read_time
from agents.pipelines.ace.simulation.expressions.slots import Token, kind_of, tokens_of
from agents.pipelines.ace.simulation.lessons.shape import (
    MOST_EXAMPLES,
    MOST_SLOTS,
    Part,
    Shape,
    Slot,
    answer_by,
    plain_question,
)
from agents.pipelines.ace.simulation.lessons.transforms import transformed, transforms_of

Row = tuple[str, str]
"""A question and its right answer."""
LONGEST = 300
"""Characters of a question, and of an answer, in which a shape is looked for."""
_WORD = re.compile(r"(\d+)|([a-zà-ÿ]{3,})|(?=([^\W\d_a-zà-ÿ]{2}))")
_RUN = re.compile(r"\w+")
_MOST_STEPS = 20_000
_PIECE, _LETTER, _SIGN = 1.0, 1.0, 0.5
"""What a slot, a letter and another sign of an answer cost: the cheapest answer that fits all examples is taken."""
_INSIDE_A_WORD = 3.0
"""What it costs that a word of the answer is only in part a slot."""


_LEAST_TOLD = 0.5
"""How many letters of the answers a slot must make for what it costs."""
_FEW = 3
"""Letters: fewer, if they are parts of words, may agree by chance."""


def find_shape(rows: Sequence[Row], known: Iterable[Row] = ()) -> Shape | None:
    """The shape that all rows have.

    Args:
        rows: Two at least.
        known: Rows that it must not contradict, and that count as examples if it gives their answers.

    Returns:
        None if there is none, or if there are not enough examples: two, three where a part of the question tells nothing
        about the answer, where the question is words without a text around them, or where little of the answer is repeated.
    """
    questions = [" ".join(question.split()) for question, _ in rows]
    answers = [" ".join(answer.split()) for _, answer in rows]
    if len(set(answers)) == 1 or not all(0 < len(text) <= LONGEST for text in (*questions, *answers)):
        return None
    if any(sign in text for text in (*questions, *answers) for sign in "{}“”"):
        return None
    if not all(map(repeats, questions, answers)):
        return None
    others = [row for row in known if row not in rows]
    for joins in (True, False):
        shape = _shape(questions, answers, joins=joins)
        if shape is None:
            continue
        given = [(answer_by(shape, question), answer) for question, answer in others]
        agree = sum(made == answer for made, answer in given)
        if agree == sum(made is not None for made, _ in given) and len(rows) + agree >= _needed(shape):
            return shape
    return None


def repeats(question: str, answer: str) -> bool:
    """Whether an answer has a word or number of the question in it, so that both may be of a shape."""
    told = plain(answer[:LONGEST]).casefold()
    said, whole = "".join(filter(str.isalnum, told)), _RUN.findall(told)
    asked = plain(question[:LONGEST]).casefold()
    spellings = {asked, *(transformed(asked, step) or "" for step in ("without accents", "umlauts spelled out"))}
    words = ("".join(found) for text in spellings for found in _WORD.findall(text))
    if len(said) > 1 and said in (transformed(asked, "initials") or ""):
        return True
    return any(word in (said if len(word) > 1 else whole) for word in words if word) or read_time(answer) is not None


def _shape(questions: Sequence[str], answers: Sequence[str], *, joins: bool) -> Shape | None:
    """The shape of questions and answers; `joins` slots between which there is nothing but signs."""
    asked, columns = _asked(questions, joins=joins)
    if not 0 < len(columns) <= MOST_SLOTS:
        return None
    answer = _answer([part.name for part in asked if isinstance(part, Slot)], columns, answers)
    if answer is None:
        return None
    examples = tuple(zip(*columns, strict=True))
    shape = Shape(asked, answer, examples[-MOST_EXAMPLES:])
    fits = all(answer_by(shape, question) == said for question, said in zip(questions, answers, strict=True))
    return shape if fits else None


def _needed(shape: Shape) -> int:
    """How many examples a shape needs."""
    is_all_used = {part.name for part in shape.answer if isinstance(part, Slot)} == set(shape.slots)
    slots = [part for part in shape.answer if isinstance(part, Slot)]
    given = [dict(zip(shape.slots, values, strict=True)) for values in shape.examples]
    told = min(sum(len(transformed(row[slot.name], slot.transform) or "") for slot in slots) for row in given)
    is_much = told >= _FEW or any(not slot.transform for slot in slots)
    return 2 if is_all_used and is_much and not shape.is_words else 3


# -- the question


def _asked(questions: Sequence[str], *, joins: bool) -> tuple[tuple[Part, ...], list[tuple[str, ...]]]:
    """What the questions have in common, with slots for the rest, and the values of each slot."""
    texts = [plain_question(question) for question in questions]
    tokens = [tokens_of(text) for text in texts]
    places = _in_common(tokens)
    gaps = _gaps(tokens, places)
    while (spoiled := _spoiled(tokens, places, gaps, joins=joins)) is not None:
        del places[spoiled]
        gaps = _gaps(tokens, places)
    asked: list[Part] = []
    columns: list[tuple[str, ...]] = []
    end = 0
    for gap in gaps:
        if not all(gap):
            continue
        columns.append(tuple(text[part[0].begin : part[-1].end] for text, part in zip(texts, gap, strict=True)))
        kind = kind_of(columns[-1])
        number = 1 + sum(isinstance(part, Slot) and part.name[0] == kind for part in asked)
        asked += [*_text(texts[0][end : gap[0][0].begin]), Slot(f"{kind}{number if number > 1 else ''}")]
        end = gap[0][-1].end
    return (*asked, *_text(texts[0][end:])), columns


def _text(text: str) -> list[Part]:
    return [text] if text else []


def _in_common(tokens: Sequence[Sequence[Token]]) -> list[tuple[int, ...]]:
    """The tokens that all questions have, in order: for each its place in every question."""
    first, *others = [[token.key for token in each] for each in tokens]
    found: list[dict[int, int]] = []
    for other in others:
        blocks = SequenceMatcher(None, first, other, autojunk=False).get_matching_blocks()
        found.append({block.a + step: block.b + step for block in blocks for step in range(block.size)})
    return [(at, *(places[at] for places in found)) for at in range(len(first)) if all(at in places for places in found)]


def _gaps(tokens: Sequence[Sequence[Token]], places: Sequence[tuple[int, ...]]) -> list[list[Sequence[Token]]]:
    """What stands before, between and after the common tokens, in every question."""
    edges = [(-1,) * len(tokens), *places, tuple(map(len, tokens))]
    return [[each[begin + 1 : end] for each, begin, end in zip(tokens, *pair, strict=True)] for pair in pairwise(edges)]


def _spoiled(
    tokens: Sequence[Sequence[Token]], places: Sequence[tuple[int, ...]], gaps: list[list[Sequence[Token]]], *, joins: bool
) -> int | None:
    """The place of a common token that is part of a slot; None if there is none."""
    for at, gap in enumerate(gaps):
        if any(gap) and not all(gap) and places:
            return min(at, len(places) - 1)
    if joins:
        filled = [at for at, gap in enumerate(gaps) if all(gap)]
        for begin, end in pairwise(filled):
            if all(tokens[0][places[at][0]].is_sign for at in range(begin, end)):
                return begin
    return None


# -- the answer


class _Piece(NamedTuple):
    """A part of the answers that a slot makes."""

    part: Slot
    made: tuple[str, ...]
    cost: float


def _answer(names: Sequence[str], columns: Sequence[tuple[str, ...]], answers: Sequence[str]) -> tuple[Part, ...] | None:
    """The simplest text with slots that makes all answers; None if there is none, or if it is no simpler than they are."""
    pieces = [
        _Piece(Slot(name, one.name), one.made, _PIECE + one.cost)
        for name, values in zip(names, columns, strict=True)
        for one in transforms_of(values, answers)
        if len(set(one.made)) > 1
    ]
    parts = _cheapest(pieces, answers)
    made = [part for part in parts if isinstance(part, _Piece)]
    if not made or sum(min(map(len, part.made)) for part in made) < _LEAST_TOLD * sum(part.cost for part in made):
        return None
    found: list[Part] = []
    for part in parts:
        if isinstance(part, _Piece):
            found.append(part.part)
        elif found and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return tuple(found)


def _cheapest(pieces: Sequence[_Piece], answers: Sequence[str]) -> list[str | _Piece]:
    """The way through all answers at once that costs least, by letters that they share and by pieces; empty if none."""
    order = count()
    ways: list[tuple[float, int, tuple[int, ...], list[str | _Piece]]] = [(0.0, next(order), (0,) * len(answers), [])]
    end = tuple(map(len, answers))
    done: set[tuple[tuple[int, ...], bool]] = set()
    for _ in range(_MOST_STEPS):
        if not ways:
            return []
        cost, _, places, parts = heappop(ways)
        state = (places, bool(parts) and isinstance(parts[-1], _Piece))
        if places == end:
            return parts
        if state in done:
            continue
        done.add(state)
        sign = answers[0][places[0] : places[0] + 1]
        inside = _INSIDE_A_WORD if _is_inside(answers[0], places[0]) else 0.0
        if sign and all(map(str.startswith, answers, repeat(sign), places)):
            more = (_LETTER if sign.isalnum() else _SIGN) + (inside if state[1] else 0.0)
            heappush(ways, (cost + more, next(order), tuple(place + 1 for place in places), [*parts, sign]))
        for piece in pieces:
            if all(map(str.startswith, answers, piece.made, places)):
                after = tuple(place + len(made) for place, made in zip(places, piece.made, strict=True))
                more = piece.cost + (0.0 if state[1] else inside)
                heappush(ways, (cost + more, next(order), after, [*parts, piece]))
    return []


def _is_inside(text: str, at: int) -> bool:
    """Whether a place is within a word or a number."""
    before, after = text[at - 1 : at], text[at : at + 1]
    if is_cjk(before) or is_cjk(after):
        return False
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())
