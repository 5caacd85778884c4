"""The notation of forms: `pay {amount:money} to {payee:name} [for {purpose:thing}]`.

Words and signs stand for themselves. `[…]` may be left out, `(a|b)` is a choice, `(…)*` repeats what it holds. `{name:kind}`
is a slot, `<rule>` the forms of that name; `{name:rule}` is such a form as one value. Where the kind is left out, it is the
slot's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.models.simulated.reading.tokens import tokens_of

_PIECE = re.compile(r"\{(\w+)(?::(\w+))?\}|<(\w+)>|([\[\]()|])|\)?(\*)|([^\s\[\](){}<>|*]+)")


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """One token that stands for itself."""

    key: str


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A value of a kind, or of a rule; without a name the rule's own values are taken over."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several sequences, repeated any number of times if `repeats`."""

    options: tuple[Nodes, ...]
    repeats: bool = False


Node = Literal | Slot | Choice
Nodes = tuple[Node, ...]


def parsed(form: str) -> Nodes:
    """A form as nodes.

    Raises:
        ValueError: A bracket is not closed, or closes nothing.
    """
    pieces = list(_PIECE.finditer(form))
    options, end = _options(pieces, 0)
    if end != len(pieces):
        raise ValueError(f"A bracket of the form {form!r} closes nothing.")
    return options[0] if len(options) == 1 else (Choice(options),)


def _options(pieces: list[re.Match[str]], at: int) -> tuple[tuple[Nodes, ...], int]:
    """The choices up to a closing bracket, and where that is."""
    options: list[list[Node]] = [[]]
    while at < len(pieces) and pieces[at][4] not in (")", "]"):
        piece = pieces[at]
        if piece[4] == "|":
            options.append([])
        elif piece[4]:
            inner, at = _options(pieces, at + 1)
            if at >= len(pieces) or (piece[4] + (pieces[at][4] or "")) not in ("()", "[]"):
                raise ValueError(f"A bracket of the form {piece.string!r} is not closed.")
            repeats = at + 1 < len(pieces) and pieces[at + 1][5] is not None
            at += repeats
            options[-1].append(Choice(inner if piece[4] == "(" else (*inner, ()), repeats))
        else:
            options[-1] += _simple(piece)
        at += 1
    return tuple(tuple(option) for option in options), at


def _simple(piece: re.Match[str]) -> Iterator[Node]:
    if piece[1]:
        yield Slot(piece[1], piece[2] or piece[1])
    elif piece[3]:
        yield Slot("", piece[3])
    else:
        yield from (Literal(token.key) for token in tokens_of(piece[0]))
