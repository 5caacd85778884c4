"""Answers that must fit a schema: parsing them, and saying what does not fit."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

_FENCE = "```"


def parse_answer(adapter: TypeAdapter[Any], text: str) -> Any:
    """The value in `text`, as plain JSON types. A Markdown fence around the JSON is removed.

    Raises:
        ValidationError: It is not JSON, or does not fit.
    """
    return adapter.dump_python(adapter.validate_json(_without_fence(text)), mode="json")


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
