"""Answers that must fit a schema: reading them, and saying what does not fit. Knows no agent and no model."""

from __future__ import annotations

import re
from typing import Any

from pydantic import TypeAdapter, ValidationError

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)


def parse_answer(adapter: TypeAdapter[Any], text: str) -> Any:
    """The value that `text` holds, as plain JSON types. A Markdown fence around the JSON is taken off.

    Raises:
        ValidationError: It is not JSON, or does not fit.
    """
    fenced = _FENCED.fullmatch(text)
    return adapter.dump_python(adapter.validate_json(fenced.group(1) if fenced else text), mode="json")


def explain_misfit(error: ValidationError, stop_reason: str | None) -> str:
    """What is wrong with an answer, for the model that gave it and for a person reading along."""
    cut = " The answer was cut off at the length limit." if stop_reason == "max_tokens" else ""
    problems = "; ".join(f"{'.'.join(str(step) for step in e['loc']) or 'the answer'}: {e['msg']}" for e in error.errors())
    return f"The answer does not fit the schema:{cut} {problems}."
