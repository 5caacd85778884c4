"""Which events a model is sent, and how: the history as one agent sees it.

A pure function of the events, so that a model's input can be computed again from the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

from google.genai import types

from agents.event import Event
from agents.history.branches import TOOL_MARK
from agents.history.rewinds import without_rewound
from agents.history.summaries import with_summaries
from agents.model import copy_with, unchecked
from agents.models.identity import OTHERS_WORDS, quoted
from agents.runtime.confirmation import QUESTIONS

_IN_TURN = "Your instruction for this turn, with the session's state as it is now. The user did not say it."
IncludeContents = Literal["default", "none"]

OWN_ID_PREFIX = "adk-"
"""Prefix of the ids that we give to calls without one; providers that pair by position are not sent them."""


def history_for(
    events: Sequence[Event],
    *,
    agent_name: str,
    branch: str | None = None,
    include_contents: IncludeContents = "default",
    keep_own_ids: bool = False,
    keep_own_thoughts: bool = False,
    is_quoted: bool = True,
    is_joined: bool = True,
) -> list[types.Content]:
    """The contents that an agent's model is sent.

    Other agents' events become user content that names their author and quotes what they said and did. Thoughts are left
    out. A function call is followed by its response; one without a response, and a response without its call, are left
    out. Questions that a run pauses for, and the user's answers to them, are never sent to a model. A summary stands in
    place of the events that it covers, as the agent's own words. What a rewind took back is left out.

    Args:
        events: The session's events, oldest first.
        agent_name: Whose model it is.
        branch: Where the agent runs: it sees the events of its own parallel branch, of those around it, and of those of
            other parallel agents, which have joined. An agent called as a tool does not see its caller's events, nor the
            caller the tool's.
        include_contents: "none" starts at the latest event of the user or another agent; an answer to a call is part of
            the turn that asked for it.
        keep_own_ids: Whether calls keep the ids that we gave them, for a provider that pairs by id.
        keep_own_thoughts: Whether the agent's own thoughts, such as a written plan, are kept as texts.
        is_quoted: Whether what others said and did stands between markers; older records were sent it without.
        is_joined: Whether joined branches are seen, and a late response is sent without what came between; the same.

    Returns:
        Contents of the agent's own and the user's events as they are (not copies), and new ones for other agents'.
    """
    if branch is not None and TOOL_MARK in branch:
        events = [event for event in events if _sees(branch, event.branch, is_joined=is_joined)]
    if include_contents == "none":
        events = events[_start_of_turn(events, agent_name, branch, is_joined=is_joined) :]
    tell = partial(
        _told_to, agent_name, branch, keep_own_thoughts=keep_own_thoughts, is_quoted=is_quoted, is_joined=is_joined
    )
    contents, has_calls = tell(events) or tell(with_summaries(without_rewound(events), agent_name)) or ([], False)
    if not has_calls:
        return contents
    return list(_paired(contents, keep_own_ids=keep_own_ids, ends_late=is_joined))


def _told_to(
    agent_name: str,
    branch: str | None,
    events: Sequence[Event],
    *,
    keep_own_thoughts: bool,
    is_quoted: bool,
    is_joined: bool,
) -> tuple[list[types.Content], bool] | None:
    """The contents of events, and whether there are calls among them; None if a summary or a rewind is among the events."""
    contents: list[types.Content] = []
    has_calls = False
    own = (agent_name, "user")
    for event in events:
        content = event.content
        if content is None:  # as in every event of these: so a history without them costs nothing more
            if event.actions.compaction is not None or event.actions.rewind_before_invocation_id is not None:
                return None
            continue
        if event.branch != branch and not _sees(branch, event.branch, is_joined=is_joined):
            continue
        if event.author in own:
            kept, calls = _own(_aloud(content) if keep_own_thoughts else content)
            has_calls = has_calls or calls
        else:
            kept = _as_context(event.author, content.parts or (), is_quoted=is_quoted)
        if kept is not None:
            contents.append(kept)
    return contents, has_calls


def say_in_turn(contents: list[types.Content], instruction: str) -> None:
    """Puts an instruction into the contents: before the latest messages of the user, after the results of tools."""
    at = len(contents)
    while (
        at and contents[at - 1].role == "user" and not any(part.function_response for part in contents[at - 1].parts or [])
    ):
        at -= 1
    contents.insert(at, types.Content(role="user", parts=[types.Part(text=f"{_IN_TURN}\n\n{instruction}")]))


def _start_of_turn(events: Sequence[Event], agent_name: str, branch: str | None, *, is_joined: bool) -> int:
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if event.author == agent_name or not _sees(branch, event.branch, is_joined=is_joined):
            continue
        is_answer = event.author == "user" and any(part.function_response for part in event.parts)
        if not is_answer and any(_is_shown(part) for part in event.parts):
            return index
    return 0


def _sees(branch: str | None, event_branch: str | None, *, is_joined: bool) -> bool:
    """Whether an agent in `branch` sees the events of `event_branch`."""
    if branch == event_branch:
        return True
    if (event_branch is not None and TOOL_MARK in event_branch) or (branch is not None and TOOL_MARK in branch):
        scope = _scope_of(branch)
        if scope != _scope_of(event_branch):
            return False
        branch, event_branch = _within(branch, scope), _within(event_branch, scope)
    if event_branch is None or branch is None:
        return True
    return branch.startswith(event_branch + ".") or (is_joined and _has_joined(branch, event_branch))


def _has_joined(branch: str, event_branch: str) -> bool:
    """Whether a branch is of a parallel agent that an agent in `branch` comes after.

    A branch's path names a parallel agent and its child by turns. Paths that part at a child are of siblings, which run at
    the same time; those that part at a parallel agent run one after the other.
    """
    own, other = branch.split("."), event_branch.split(".")
    shared = next((place for place, names in enumerate(zip(own, other, strict=False)) if names[0] != names[1]), len(own))
    return shared % 2 == 0 and len(own) % 2 == 0 and len(other) % 2 == 0


def _scope_of(branch: str | None) -> str:
    """The conversation that a branch belongs to: its path down to the last agent called as a tool, "" outside of one."""
    if branch is None or (mark := branch.rfind(TOOL_MARK)) < 0:
        return ""
    end = branch.find(".", mark)
    return branch if end < 0 else branch[:end]


def _within(branch: str | None, scope: str) -> str | None:
    """A branch's path inside its scope; None for the scope's own branch."""
    return (branch or "")[len(scope) + 1 :] or None


def _is_shown(part: types.Part) -> bool:
    """Whether a part is more than a thought or an empty text. A call always is, even one marked as a thought."""
    if (held := part.function_call or part.function_response) is not None:
        return held.name not in QUESTIONS
    return not part.thought and (part.text != "" or part.thought_signature is not None)


def _own(content: types.Content) -> tuple[types.Content | None, bool]:
    """The agent's or the user's content without thoughts and empty texts, None if nothing is left; whether it has calls."""
    parts = content.parts or []
    whole, calls = True, False
    for part in parts:
        if (held := part.function_call or part.function_response) is not None:
            calls = True
            whole = whole and held.name not in QUESTIONS
        elif part.thought or part.text == "":
            whole = False
    if whole:
        return (content if parts else None), calls
    kept = [part for part in parts if _is_shown(part)]
    return (types.Content(role=content.role, parts=kept) if kept else None), calls


def _aloud(content: types.Content) -> types.Content:
    """A content with its thoughts as texts."""
    parts = content.parts or []
    if not any(part.thought for part in parts):
        return content
    return copy_with(content, parts=[copy_with(part, thought=None) if part.thought else part for part in parts])


def _as_context(author: str, parts: Sequence[types.Part], *, is_quoted: bool) -> types.Content | None:
    shown: list[types.Part] = []
    for part in parts:
        if (held := part.function_call or part.function_response) is not None and held.name in QUESTIONS:
            continue
        if (told := _told(part, is_quoted=is_quoted)) is not None:
            what, between, text = told
            text = f":\n{quoted(text)}" if is_quoted else f"{between}{text}"
            shown.append(unchecked(types.Part, text=f"[{author}] {what}{text}"))
        elif part.text is None and not part.thought:
            shown.append(part)
    return _of_user([_OTHERS_WORDS if is_quoted else _FOR_CONTEXT, *shown]) if shown else None


def _told(part: types.Part, *, is_quoted: bool) -> tuple[str, str, str] | None:
    """What an agent did, what stands before the text if that is not quoted, and the text; None for a file or a thought."""
    if (call := part.function_call) is not None:
        arguments = json.dumps(call.args or {}, ensure_ascii=False, default=str)
        return f"called tool `{_named(call.name) if is_quoted else call.name}` with", " ", arguments
    if (answer := part.function_response) is not None:
        result = json.dumps(answer.response, ensure_ascii=False, default=str)
        return f"tool `{_named(answer.name) if is_quoted else answer.name}` returned", " ", result
    if part.text and not part.thought:
        return "said", ": ", part.text
    if (code := part.executable_code) is not None and not part.thought:
        return "ran code", ":\n", code.code or ""
    ran = part.code_execution_result
    return None if ran is None or part.thought else ("its code printed", ":\n", ran.output or "")


def _named(tool: str | None) -> str:
    """A tool's name outside of a quotation: a model may call anything, so it can be no sentence."""
    return _NO_NAME.sub("_", tool or "")


_NO_NAME = re.compile(r"[^\w.:-]")
_FOR_CONTEXT = types.Part(text="For context:")
_OTHERS_WORDS = types.Part(text=OTHERS_WORDS)


def _of_user(parts: list[types.Part]) -> types.Content:
    return unchecked(types.Content, role="user", parts=parts)


def _paired(contents: Sequence[types.Content], *, keep_own_ids: bool, ends_late: bool) -> Iterator[types.Content]:
    """Each call directly followed by its response, whatever came between; orphans of either kind dropped.

    Providers refuse a request in which a call has no response, or in which something stands between the two. If a response
    is the latest of all, what came between is dropped (`ends_late`): the model goes on from the response.
    """
    answers = _answers(contents)
    if ends_late and (latest := contents[-1].parts):
        asked = [place for (place, _), answer in answers.items() if any(answer is part for part in latest)]
        if asked:
            last = len(contents) - 1
            end = min(max(asked) + 1, last)
            contents = [*contents[:end], contents[-1]]
            moved = {place: place for place in range(end)} | {last: end}  # the responses to what stays, by its place now
            answers = {(moved[place], index): answer for (place, index), answer in answers.items() if place in moved}
    for place, content in enumerate(contents):
        shown: list[types.Part] = []
        answered: list[types.Part] = []
        is_whole = True
        for index, part in enumerate(content.parts or ()):
            kept, answer = part, answers.get((place, index))
            if answer is not None:
                if not keep_own_ids:
                    kept, answer = without_own_id(part), without_own_id(answer)
                answered.append(answer)
            elif part.function_call or part.function_response:
                is_whole = False
                continue
            is_whole = is_whole and kept is part
            shown.append(kept)
        if shown:
            yield content if is_whole else copy_with(content, parts=shown)
        if answered:
            yield _of_user(answered)


def _answers(contents: Sequence[types.Content]) -> dict[tuple[int, int], types.Part]:
    """The response of each call, by the place of the call: the last one given before its id is used again."""
    latest: dict[str | None, tuple[int, int]] = {}
    answers: dict[tuple[int, int], types.Part] = {}
    for place, content in enumerate(contents):
        for index, part in enumerate(content.parts or ()):
            if (call := part.function_call) is not None:
                latest[call.id] = (place, index)
            elif (response := part.function_response) is not None and response.id in latest:
                answers[latest[response.id]] = part
    return answers


def without_own_id(part: types.Part) -> types.Part:
    """A call or a response for a provider that pairs by position: without a generated id."""
    for name in ("function_call", "function_response"):
        held = getattr(part, name)
        if held is not None and held.id is not None and held.id.startswith(OWN_ID_PREFIX):
            return copy_with(part, **{name: copy_with(held, id=None)})
    return part
