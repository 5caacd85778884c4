"""Reads an ATIF trajectory: one JSON object with the agent, its steps, and the trajectories of its sub-agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agents.records import Tokens
from agents.transcripts.fields import (
    amount_in,
    as_text,
    call_part,
    count_in,
    object_in,
    objects_in,
    text_in,
    time_in,
)
from agents.transcripts.steps import Answered, Noted, Part, Returned, Said, Step

VERSION = "ATIF-v"
"""How the version of the format begins."""
_DEEPEST = 20
"""Most sub-agents within each other."""


def is_atif(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a trajectory."""
    return text_in(value, "schema_version").startswith(VERSION) and isinstance(value.get("steps"), list)


def steps_of(trajectory: Mapping[str, Any], lane: str = "", *, depth: int = 0) -> Iterator[Step]:
    """The steps of a trajectory, and where a tool call has them, those of its sub-agents before its result."""
    model = text_in(object_in(trajectory, "agent"), "model_name")
    inner = {text_in(each, "trajectory_id"): each for each in objects_in(trajectory, "subagent_trajectories")}
    for step in objects_in(trajectory, "steps"):
        at = time_in(step)
        match step.get("source"):
            case "user":
                yield Said(at, list(_parts(step.get("message"))), lane)
            case "agent":
                yield _answer(step, at, model, lane)
            case _:
                yield Noted(at, "context", _text(step.get("message")), lane)
        for result in objects_in(object_in(step, "observation"), "results"):
            call_id = text_in(result, "source_call_id")
            for ref in objects_in(result, "subagent_trajectory_ref"):
                child = inner.get(text_in(ref, "trajectory_id"))
                if child is not None and depth < _DEEPEST:
                    yield from steps_of(child, call_id or text_in(ref, "trajectory_id"), depth=depth + 1)
            extra = object_in(result, "extra")
            is_error = extra.get("is_error") is True or bool(text_in(extra, "error"))
            yield Returned(at, call_id, _text(result.get("content")), is_error, lane=lane)


def _answer(step: dict[str, Any], at: float | None, model: str, lane: str) -> Answered:
    parts: list[Part] = []
    if thought := text_in(step, "reasoning_content"):
        parts.append({"text": thought, "thought": True})
    parts += (part for part in _parts(step.get("message")) if part.get("text"))
    for call in objects_in(step, "tool_calls"):
        parts.append(call_part(text_in(call, "tool_call_id"), text_in(call, "function_name"), call.get("arguments")))
    metrics = object_in(step, "metrics")
    thoughts = count_in(object_in(metrics, "extra"), "reasoning_tokens")
    usage = Tokens(
        input=count_in(metrics, "prompt_tokens"),
        output=max(0, count_in(metrics, "completion_tokens") - thoughts),
        thoughts=thoughts,
        cached=count_in(metrics, "cached_tokens"),
    )
    error = text_in(object_in(step, "extra"), "error")
    told = usage if metrics else Tokens()
    return Answered(at, parts, text_in(step, "model_name") or model, told, amount_in(metrics, "cost_usd"), error, lane)


def _parts(message: Any) -> Iterator[Part]:
    if isinstance(message, list):
        for part in objects_in({"parts": message}, "parts"):
            where = object_in(part, "source")
            yield {
                "text": text_in(part, "text") or f"({text_in(where, 'media_type') or 'a file'}: {text_in(where, 'path')})"
            }
    else:
        yield {"text": as_text(message)}


def _text(message: Any) -> str:
    return "\n".join(part["text"] for part in _parts(message))
