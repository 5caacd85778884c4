"""Reads data in JSON or YAML that somebody else wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, cast

import yaml

from agents.errors import ToolError

MOST_CHARACTERS = 4_000_000


def read_mapping(text: str, what: str) -> dict[str, Any]:
    """The mapping that a text in JSON or YAML is, as JSON has it: keys are texts, and dates are texts too.

    Args:
        text: The text.
        what: Names it in errors.

    Raises:
        ToolError: It is no mapping, is longer than `MOST_CHARACTERS`, or is YAML with aliases, of which a short text can
            make a huge one.
    """
    if len(text) > MOST_CHARACTERS:
        raise ToolError(f"{what} has {len(text):,} characters, and may have {MOST_CHARACTERS:,}. Give a smaller one.")
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else _yaml(text, what)
        if isinstance(found, dict):
            return json.loads(json.dumps(cast("dict[Any, Any]", found), default=str))
    except (ValueError, TypeError, RecursionError, yaml.YAMLError) as error:
        raise ToolError(f"{what} cannot be read: {' '.join(str(error).split())[:200]}.") from None
    raise ToolError(f"{what} is no mapping of keys to values, neither in JSON nor in YAML.")


def _yaml(text: str, what: str) -> Any:
    loader = cast("Any", getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    events = cast("Iterable[object]", yaml.parse(text, Loader=loader))  # pyright: ignore[reportUnknownMemberType]
    if any(isinstance(event, yaml.AliasEvent) for event in events):
        raise ToolError(f"{what} has YAML aliases (`*name`), which are not read. Write out what they stand for.")
    return yaml.load(text, Loader=loader)  # noqa: S506  a safe one
