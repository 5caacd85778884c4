"""An event as texts, so that two events are the same if they read so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from agents.state import REDUCED

_COPIED = re.compile(r", fork [0-9a-f]{8}")
"""What `Forks` puts after the name of a playbook that it copies."""
_LENGTH = len(", fork 01234567")


def event_texts(body: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `Turn` that an event's body holds."""
    parts = cast("list[dict[str, Any]]", cast("dict[str, Any]", body.get("content") or {}).get("parts") or ())
    actions = cast("dict[str, Any]", body.get("actions") or {})
    delta = cast("dict[str, Any]", actions.get("state_delta") or {})
    saved = cast("dict[str, Any]", actions.get("artifact_delta") or {})
    handed = actions.get("transfer_to_agent")
    learned = [cast("dict[str, Any]", delta[key]) for key in REDUCED if isinstance(delta.get(key), dict)]
    text = "\n".join(str(part["text"]) for part in parts if part.get("text") and not part.get("thought"))
    return {
        "text": _of_origin(text, learned),
        "thoughts": "\n".join(str(part["text"]) for part in parts if part.get("text") and part.get("thought")),
        "calls": tuple(_line(part["function_call"], "args") for part in parts if part.get("function_call")),
        "results": tuple(_line(part["function_response"], "response") for part in parts if part.get("function_response")),
        "state": state_texts({key: value for key, value in delta.items() if key not in REDUCED}),
        "playbook": "\n".join(map(_operations, learned)),
        "control": "; ".join(
            [*(["escalates"] if actions.get("escalate") else []), *([f"hands over to {handed}"] if handed else [])]
        ),
        "files": tuple(f"{name}, version {version}" for name, version in saved.items()),
        "error": ": ".join(str(body[name]) for name in ("error_code", "error_message") if body.get(name)),
    }


def _line(called: dict[str, Any], holds: str) -> str:
    return f"{called.get('name') or ''} {_json(called.get(holds) or {})}"


def state_texts(state: Mapping[str, Any] | None) -> dict[str, str]:
    """State as texts: values that are none as JSON."""
    return {key: value if isinstance(value, str) else _json(value) for key, value in (state or {}).items()}


def _operations(delta: dict[str, Any]) -> str:
    """What a delta did, without numbers: those of a copy begin anew. Of an old record, the revision that it made."""
    applied = delta.get("applied")
    if not isinstance(applied, list):
        return f"revision {delta['revision']}" if delta.get("revision") is not None else ""
    found = (cast("dict[str, Any]", each) for each in cast("list[Any]", applied) if isinstance(each, dict))
    lines = (
        (each.get("type"), {name: each[name] for name in each if name not in {"type", "query"} and each[name]})
        for each in found
    )
    return "\n".join(f"{kind} {_json(rest)}" for kind, rest in lines if rest)


def _of_origin(text: str, deltas: list[dict[str, Any]]) -> str:
    """A text that names the copy of a playbook as it reads in the origin."""
    for delta in deltas:
        name = str(delta.get("playbook") or "")
        end = len(name)
        while _COPIED.fullmatch(name, max(end - _LENGTH, 0), end):
            end -= _LENGTH
        if 0 < end < len(name):
            text = text.replace(name, name[:end])
    return text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
