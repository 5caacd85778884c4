"""Which events a model is shown, and how: the history as one agent sees it.

A pure function of the events, so that what a model was sent can be worked out again from the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from google.genai import types

from agents.event import Event

IncludeContents = Literal["default", "none"]


def history_for(
    events: Sequence[Event], *, agent_name: str, branch: str | None = None, include_contents: IncludeContents = "default"
) -> list[types.Content]:
    """The contents that an agent's model is sent.

    Other agents' events become user content that names their author. Thoughts are left out. A function call is
    followed by its response; one without a response, and a response without its call, are left out.

    Args:
        events: The session's events, oldest first.
        agent_name: Whose model it is.
        branch: The parallel branch that the agent runs in; it sees its own events and those of branches around it.
        include_contents: "none" starts at the latest event of the user or another agent.

    Returns:
        Contents of the agent's own and the user's events as they are (not copies), and new ones for other agents'.
    """
    if include_contents == "none":
        events = events[_start_of_turn(events, agent_name, branch) :]
    contents: list[types.Content] = []
    has_calls = False
    for event in events:
        if event.content is None or not _sees(branch, event.branch):
            continue
        if event.author in (agent_name, "user"):
            kept, calls = _own(event.content)
            has_calls = has_calls or calls
        else:
            kept = _as_context(event.author, event.content.parts or ())
        if kept is not None:
            contents.append(kept)
    return list(_paired(contents)) if has_calls else contents


def _start_of_turn(events: Sequence[Event], agent_name: str, branch: str | None) -> int:
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if event.author != agent_name and event.content is not None and _sees(branch, event.branch):
            return index
    return 0


def _sees(branch: str | None, event_branch: str | None) -> bool:
    if event_branch is None or branch == event_branch or branch is None:
        return True
    return branch.startswith(event_branch + ".")


def _own(content: types.Content) -> tuple[types.Content | None, bool]:
    """An own or a user's content without thoughts and empty texts, None if that leaves nothing; whether it has calls."""
    parts = content.parts or []
    whole, calls = True, False
    for part in parts:
        if part.thought or part.text == "":
            whole = False
        elif part.function_call is not None or part.function_response is not None:
            calls = True
    if whole:
        return (content if parts else None), calls
    kept = [part for part in parts if not part.thought and part.text != ""]
    return (types.Content(role=content.role, parts=kept) if kept else None), calls


def _as_context(author: str, parts: Sequence[types.Part]) -> types.Content | None:
    shown: list[types.Part] = []
    for part in parts:
        if part.thought:
            continue
        if part.text:
            shown.append(types.Part(text=f"[{author}] said: {part.text}"))
        elif part.function_call:
            arguments = json.dumps(part.function_call.args or {}, ensure_ascii=False, default=str)
            shown.append(types.Part(text=f"[{author}] called tool `{part.function_call.name}` with {arguments}"))
        elif part.function_response:
            result = json.dumps(part.function_response.response, ensure_ascii=False, default=str)
            shown.append(types.Part(text=f"[{author}] tool `{part.function_response.name}` returned {result}"))
        elif part.inline_data or part.file_data:
            shown.append(part)
    if not shown:
        return None
    return types.Content(role="user", parts=[types.Part(text="For context:"), *shown])


def _paired(contents: Sequence[types.Content]) -> Iterator[types.Content]:
    """Each call directly followed by its response, whatever came between; orphans of either kind dropped."""
    answers = _answers(contents)
    for content in contents:
        parts = content.parts or []
        kept = [p for p in parts if not p.function_response and (p.function_call is None or id(p) in answers)]
        if kept:
            yield content if len(kept) == len(parts) else types.Content(role=content.role, parts=kept)
        if answered := [answers[id(part)] for part in kept if part.function_call]:
            yield types.Content(role="user", parts=answered)


def _answers(contents: Sequence[types.Content]) -> dict[int, types.Part]:
    """The response of each call, by the identity of the call's part: the last one given before its id is used again."""
    latest: dict[str | None, types.Part] = {}
    answers: dict[int, types.Part] = {}
    for content in contents:
        for part in content.parts or ():
            if part.function_call:
                latest[part.function_call.id] = part
            elif part.function_response and part.function_response.id in latest:
                answers[id(latest[part.function_response.id])] = part
    return answers
