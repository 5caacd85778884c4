"""Answers that must fit a schema: parsing them, and saying what does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError

_FENCE = "```"
_DECODER = json.JSONDecoder()
_UNFIT = object()


def parse_answer(adapter: TypeAdapter[Any], text: str) -> Any:
    """The value in `text`, as plain JSON types: all of it, or the one object or list in prose that fits.

    Raises:
        ValidationError: It is not JSON, or does not fit; or several values in it fit.
    """
    try:
        value = adapter.validate_json(_without_fence(text))
    except ValidationError:
        fitting = [value for value in map(partial(_validated, adapter), _whole_values(text)) if value is not _UNFIT]
        if len(fitting) != 1:
            raise
        [value] = fitting
    return adapter.dump_python(value, mode="json")


def _validated(adapter: TypeAdapter[Any], text: str) -> Any:
    try:
        return adapter.validate_json(text)
    except ValidationError:
        return _UNFIT


def _whole_values(text: str) -> Iterator[str]:
    """The JSON objects and lists in prose. What is inside a broken one is not taken for a value of its own."""
    place, open_brackets = 0, 0
    while place < len(text):
        mark = text[place]
        place += 1
        if mark in "{[" and not open_brackets:
            try:
                _, end = _DECODER.raw_decode(text, place - 1)
            except (ValueError, RecursionError):
                open_brackets = 1
            else:
                yield text[place - 1 : end]
                place = end
        elif mark in "{[":
            open_brackets += 1
        elif mark in "}]" and open_brackets:
            open_brackets -= 1


def explain_misfit(error: ValidationError, stop_reason: str | None) -> str:
    """What is wrong with an answer, for its model and for the user."""
    cut = " The answer was cut off at the length limit." if stop_reason == "max_tokens" else ""
    problems = "; ".join(f"{'.'.join(str(step) for step in e['loc']) or 'the answer'}: {e['msg']}" for e in error.errors())
    return f"The answer does not fit the schema:{cut} {problems}."


def _without_fence(text: str) -> str:
    stripped = text.strip()
    first, line_break, rest = stripped.partition("\n")
    is_fenced = line_break and first.rstrip() in (_FENCE, f"{_FENCE}json") and rest.endswith(_FENCE)
    return rest.removesuffix(_FENCE).strip() if is_fenced else text
