"""A pipeline's source files as they were loaded, and one of them as HTML: numbered, coloured, with notes."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from agents.pipelines import Highlight, Pipeline
from ui.kit.elements import Html, element
from ui.text.visible_text import visible_directions

FIRST = ("root_agent.yaml", "agent.py")
LAST = ("simulation.py", "card.py")
MOST_FILES = 16
LONGEST = 120_000
"""Characters of a file that are shown."""
SENTENCE = 200
"""Characters up to which an `__init__.py` counts as empty."""

_COLOURED = {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number"}
_FSTRING = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")}


class Mark(NamedTuple):
    """A marked line: its number, from 1, and the note."""

    line: int
    note: str


def files(pipeline: Pipeline) -> list[str]:
    """Names of a pipeline's files: agents first, presentation last; no `__init__.py` with a docstring alone."""
    names = [name for name, text in pipeline.sources.items() if name != "__init__.py" or len(text) > SENTENCE]
    order = {
        **{name: place - len(FIRST) for place, name in enumerate(FIRST)},
        **{name: 1 + place for place, name in enumerate(LAST)},
    }
    return sorted(names, key=lambda name: (order.get(name, 0), name))[:MOST_FILES]


def text_of(pipeline: Pipeline, name: str) -> str:
    """A file's text as it was loaded; a very long one is cut, with a line that says so."""
    text = pipeline.sources[name]
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n# … and {len(text) - LONGEST:,} characters more."


def marks(text: str, name: str, highlights: Sequence[Highlight]) -> list[Mark]:
    """The marked lines of a file's highlights; a highlight that is not found is left out."""
    lines = text.splitlines()
    found = [
        Mark(number, highlight.note)
        for highlight in highlights
        if highlight.file == name
        for number in [next((n for n, line in enumerate(lines, 1) if highlight.text in line), 0)]
        if number
    ]
    return sorted(found)


def as_html(text: str, marked: Sequence[Mark], *, label: str) -> Html:
    """A file as HTML. Characters that reorder text are made visible.

    Args:
        text: The file's text.
        marked: The marked lines.
        label: Its name for screen readers.
    """
    notes: dict[int, list[str]] = {}
    for mark in marked:
        notes.setdefault(mark.line, []).append(mark.note)
    parts: list[Html] = []
    for is_marked, lines in groupby(enumerate(_coloured(text), 1), key=lambda line: line[0] in notes):
        if is_marked:
            for number, line in lines:
                note = element("p.note", visible_directions(" ".join(notes[number])))
                parts += [note, element("pre.marked", line)]
        else:
            parts.append(element("pre", *(line for _, line in lines)))
    return element("div.source", *parts, role="region", aria_label=visible_directions(label), tabindex=0)


@lru_cache(maxsize=64)
def _coloured(text: str) -> tuple[Html, ...]:
    """Each line as HTML; without colours if Python cannot tokenize the text."""
    try:
        spans = _spans(text)
    except (tokenize.TokenError, SyntaxError, ValueError):
        spans = {}
    return tuple(_line(line, spans.get(number, ())) for number, line in enumerate(text.splitlines(), 1))


def _spans(text: str) -> Mapping[int, list[tuple[int, int, str]]]:
    """Line → its coloured spans: start, end, colour."""
    lines = text.splitlines()
    spans: dict[int, list[tuple[int, int, str]]] = {}
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        colour = _colour(token, before)
        if token.type not in {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}:
            before = token.string
        if not colour:
            continue
        (first, start), (last, end) = token.start, token.end
        for number in range(first, min(last, len(lines)) + 1):
            spans.setdefault(number, []).append(
                (start if number == first else 0, end if number == last else len(lines[number - 1]), colour)
            )
    return spans


def _colour(token: tokenize.TokenInfo, before: str) -> str:
    if token.type in _FSTRING:
        return "string"
    if token.type == tokenize.NAME:
        if keyword.iskeyword(token.string):
            return "keyword"
        return "name" if before in {"def", "class"} else ""
    return _COLOURED.get(token.type, "")


def _line(line: str, spans: Sequence[tuple[int, int, str]]) -> Html:
    parts: list[str] = []
    at = 0
    for start, end, colour in spans:
        if start >= at:
            parts += [visible_directions(line[at:start]), element(f"span.{colour}", visible_directions(line[start:end]))]
            at = end
    return element("span.line", *parts, visible_directions(line[at:]), "\n")
