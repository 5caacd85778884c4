"""Writes a session, of whatever pipeline, as an ATIF trajectory.

An agent called as a tool becomes a trajectory of its own, named by the result of its call. Files stay behind: the format
keeps them beside itself. What it has no place for stands in `extra`: the agent of a step, its branch, and state that it set.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from google.genai import types

from agents.event import Event
from agents.history.branches import TOOL_MARK
from agents.log import EVENT_KIND
from agents.records import TranscriptNote
from agents.sharing import SessionFile
from agents.sharing.session_file import to_line
from agents.transcripts.steps import branch_of_call

SCHEMA = "ATIF-v1.8"
_Fields = dict[str, Any]


class _Trajectory:
    """One trajectory: of the session, or of a branch that a tool call made."""

    def __init__(self, branch: str) -> None:
        self.branch = branch
        self.steps: list[_Fields] = []
        self.calls: dict[str, _Fields] = {}
        self.children: list[_Trajectory] = []

    def add(self, source: str, at: float, **fields: Any) -> _Fields:
        step = {"step_id": len(self.steps) + 1, "timestamp": _time(at), "source": source, **fields}
        self.steps.append(step)
        return step


def to_atif(file: SessionFile) -> str:
    """The session as ATIF's JSON."""
    top = _Trajectory("")
    branches: dict[str, _Trajectory] = {"": top}
    for entry in file.entries:
        if entry.kind == EVENT_KIND and not (event := entry.event()).is_of_person:
            _add(branches, event)
        elif (note := entry.of(TranscriptNote)) is not None and note.note != "unread":
            branches.get(_tool_branch(note.branch), top).add(
                "system", note.timestamp, message=note.text, extra={"note": note.note}
            )
    models = [step["model_name"] for step in top.steps if "model_name" in step]
    agent = {"name": file.pipeline, "version": _version(), **({"model_name": models[0]} if models else {})}
    extra = {"title": file.title}
    return to_line(_plain(top, agent) | {"session_id": file.session, "extra": extra})


def _add(branches: dict[str, _Trajectory], event: Event) -> None:
    name = _tool_branch(event.branch)
    where = branches.setdefault(name, _Trajectory(name))
    responses = [part.function_response for part in event.parts if part.function_response]
    if responses:
        for response in responses:
            _add_result(branches, where, event, response)
        return
    extra: _Fields = {"author": event.author, "branch": event.branch, "state_delta": event.actions.state_delta}
    extra |= {"error": event.error_message or event.error_code}
    extra = {key: value for key, value in extra.items() if value}
    text = "".join(part.text for part in event.parts if part.text and not part.thought)
    text += "".join(f"({data.mime_type})" for part in event.parts if (data := part.inline_data) is not None)
    if event.author == "user":
        extra.pop("author")
        where.add("user", event.timestamp, message=text, **({"extra": extra} if extra else {}))
        return
    step = where.add("agent", event.timestamp, message=text, extra=extra)
    _add_answer(step, event)
    for call in step.get("tool_calls", ()):
        where.calls[call["tool_call_id"]] = step


def _add_answer(step: _Fields, event: Event) -> None:
    if event.model_version:
        step["model_name"] = event.model_version
    if thought := "\n".join(part.text for part in event.parts if part.text and part.thought):
        step["reasoning_content"] = thought
    calls = [part.function_call for part in event.parts if part.function_call]
    if calls:
        step["tool_calls"] = [
            {"tool_call_id": call.id or "", "function_name": call.name or "", "arguments": call.args or {}} for call in calls
        ]
    used, cost = event.usage_metadata, (event.custom_metadata or {}).get("cost_usd")
    if used is None and cost is None:
        return
    thoughts = (used and used.thoughts_token_count) or 0
    metrics = {
        "prompt_tokens": used and used.prompt_token_count,
        "completion_tokens": used and (used.candidates_token_count or 0) + thoughts,
        "cached_tokens": used and used.cached_content_token_count,
        "cost_usd": cost,
        "extra": {"reasoning_tokens": thoughts} if thoughts else None,
    }
    step["metrics"] = {key: value for key, value in metrics.items() if value is not None}


def _add_result(
    branches: dict[str, _Trajectory], where: _Trajectory, event: Event, response: types.FunctionResponse
) -> None:
    given = response.response or {}
    value = given.get("error", given.get("result")) if len(given) == 1 else given
    result: _Fields = {"content": value if isinstance(value, str) else to_line(value)}
    if "error" in given:
        result["extra"] = {"is_error": True}
    call_id = response.id or ""
    step = where.calls.get(call_id)
    if step is None:
        step = where.add("system", event.timestamp, message="")
    else:
        result["source_call_id"] = call_id
        child = branches.get(branch_of_call(where.branch, response.name or "tool", call_id))
        if child is not None and child not in where.children:
            where.children.append(child)
            result["subagent_trajectory_ref"] = [{"trajectory_id": child.branch}]
    step.setdefault("observation", {"results": []})["results"].append(result)


def _plain(found: _Trajectory, agent: _Fields) -> _Fields:
    metrics = [step["metrics"] for step in found.steps if "metrics" in step]
    totals = {
        "total_prompt_tokens": _sum(metrics, "prompt_tokens"),
        "total_completion_tokens": _sum(metrics, "completion_tokens"),
        "total_cached_tokens": _sum(metrics, "cached_tokens"),
        "total_cost_usd": _sum(metrics, "cost_usd"),
        "total_steps": len(found.steps),
    }
    plain: _Fields = {
        "schema_version": SCHEMA,
        "agent": agent,
        "steps": found.steps,
        "final_metrics": {key: value for key, value in totals.items() if value is not None},
    }
    if found.children:
        plain["subagent_trajectories"] = [
            _plain(child, {**agent, "name": child.branch}) | {"trajectory_id": child.branch} for child in found.children
        ]
    return plain


def _sum(metrics: Iterable[_Fields], name: str) -> float | None:
    found = [each[name] for each in metrics if name in each]
    return sum(found) if found else None


def _tool_branch(branch: str | None) -> str:
    """The branch of the innermost agent that was called as a tool; "" for the session's own."""
    parts = (branch or "").split(".")
    while parts and TOOL_MARK not in parts[-1]:
        parts.pop()
    return ".".join(parts)


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


def _version() -> str:
    try:
        return version("multi-agent-playground")
    except PackageNotFoundError:
        return "0"
