"""Reads fields of JSON that another program wrote: what is of another kind than expected counts as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from agents.records import LAST_TIME
from agents.transcripts.steps import Part

_MOST = 10_000_000
_PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")


def text_in(value: Mapping[str, Any], *names: str) -> str:
    """The first field that is a text and not empty."""
    for name in names:
        found = value.get(name)
        if isinstance(found, str) and found:
            return found
    return ""


def object_in(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A field that is an object."""
    found = value.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def objects_in(value: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a field that is a list."""
    found = value.get(name)
    return [item for item in cast("list[Any]", found) if isinstance(item, dict)] if isinstance(found, list) else []


def count_in(value: Mapping[str, Any], *names: str) -> int:
    """The sum of fields that count."""
    total = 0
    for name in names:
        found = value.get(name)
        if isinstance(found, int) and not isinstance(found, bool) and found > 0:
            total += found
    return min(total, _MOST)


def amount_in(value: Mapping[str, Any], name: str) -> float | None:
    """A field that is an amount, from 0 on."""
    found = value.get(name)
    return float(found) if isinstance(found, int | float) and 0 <= found < LAST_TIME else None


def time_in(value: Mapping[str, Any], name: str = "timestamp") -> float | None:
    """A field with a time in ISO 8601, in seconds since the epoch."""
    found = value.get(name)
    if not isinstance(found, str):
        return None
    try:
        at = datetime.fromisoformat(found).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return at if 0 <= at < LAST_TIME else None


def arguments_of(given: Any) -> dict[str, Any]:
    """Arguments of a call: an object, or one written as JSON; anything else as `{"input": …}`."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"input": given}
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {"input": given} if given else {}


def call_part(call_id: str, name: str, arguments: Any) -> Part:
    """A tool call as a part."""
    return {"function_call": {"id": call_id, "name": name or "tool", "args": arguments_of(arguments)}}


def picture_part(kind: str, data: Any) -> Part | None:
    """A picture in base64 as a part; None if it is none."""
    if kind not in _PICTURES or not isinstance(data, str) or not data:
        return None
    return {"inline_data": {"mime_type": kind, "data": data}}


def as_text(value: Any) -> str:
    """A text as it is; anything else as JSON."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
