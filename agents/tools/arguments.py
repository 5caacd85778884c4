"""A tool's arguments as a model sees them: their declarations, and errors in the ones it sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

_TOLD = ("$defs", "properties", "required", "type")


def parameters_in(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters in an object's JSON schema, without its title and description."""
    return {key: value for key, value in schema.items() if key in _TOLD}


def explain_arguments(tool: str, error: ValidationError, parameters: Iterable[str]) -> str:
    """The errors in a call of `tool` and its parameters, so that the model can call it again."""
    problems = "; ".join(f"{'.'.join(str(step) for step in e['loc']) or 'arguments'}: {e['msg']}" for e in error.errors())
    return (
        f"{tool} was called with wrong arguments. {problems}. "
        f"Its parameters are: {', '.join(parameters) or 'none'}. Call it again."
    )
