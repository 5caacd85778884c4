"""Requests in a form that can be compared, and their differences in words.

Ids that change from run to run are no difference: those of calls, and ids of ours wherever a text names one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, cast

from google.genai import types

from agents.model import LlmRequest
from agents.models.identity import is_introduced, without_identity

Drifted = Literal["instruction", "conversation", "tools", "settings"]
"""Parts of a request that can differ from the recorded one."""

NOT_SETTINGS = {"system_instruction", "tools", "labels", "response_schema"}
"""Fields of a request's configuration that are not settings: the log keeps them elsewhere, or not at all."""

_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b")
_BEFORE, _SHOWN = 20, 48


@dataclass(frozen=True, slots=True)
class SentRequest:
    """What a model was sent; two are equal where a model would see no difference.

    Attributes:
        instruction: The system instruction.
        contents: The conversation, oldest first, each message as JSON.
        tools: Names of the tools that were offered.
        settings: Temperature and the like.
    """

    instruction: str = ""
    contents: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, request: LlmRequest) -> Self:
        """What is sent with `request`."""
        settings = request.config.model_dump_json(exclude_defaults=True, exclude=NOT_SETTINGS)
        return cls(
            without_ids(request.system_instruction),
            tuple(map(content_key, request.contents)),
            tuple(request.tools_dict),
            json.loads(settings),
        )

    def as_sent_beside(self, recorded: SentRequest) -> SentRequest:
        """This request without its identity if `recorded` has none: sessions were recorded before identities were sent."""
        if is_introduced(recorded.instruction) or not is_introduced(self.instruction):
            return self
        return replace(self, instruction=without_identity(self.instruction))


def content_key(content: types.Content | Mapping[str, Any]) -> str:
    """A message, as it is or as JSON has it, as text that is the same for messages that say the same."""
    if isinstance(content, types.Content):
        dumped = content.model_dump(mode="json", exclude_none=True, fallback=repr)
    else:
        dumped = {**content, "parts": [dict(part) for part in content.get("parts") or ()]}
    for part in dumped.get("parts") or ():
        for name in ("function_call", "function_response"):
            if isinstance(held := part.get(name), dict):
                part[name] = {key: value for key, value in cast("dict[str, Any]", held).items() if key != "id"}
    return without_ids(json.dumps(dumped, ensure_ascii=False, sort_keys=True, default=repr))


def without_ids(text: str) -> str:
    """`text` with everything that looks like an id of ours replaced by one and the same word, and as a log holds it."""
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which nothing stored can hold
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _ID.sub("<id>", text)


def drift(recorded: SentRequest, sent: SentRequest) -> tuple[tuple[Drifted, ...], str]:
    """What two requests differ in, and the first difference as a sentence; nothing and "" for equal ones.

    An identity that `sent` has and `recorded` has not is no difference.
    """
    found = list(_differences(recorded, sent.as_sent_beside(recorded)))
    return tuple(what for what, _ in found), found[0][1] if found else ""


def _differences(recorded: SentRequest, sent: SentRequest) -> Iterator[tuple[Drifted, str]]:
    if recorded.instruction != sent.instruction:
        yield "instruction", f"The instruction differs: {_in_instruction(recorded.instruction, sent.instruction)}."
    if recorded.contents != sent.contents:
        yield "conversation", _in_conversation(recorded.contents, sent.contents)
    if recorded.tools != sent.tools:
        yield "tools", _in_tools(recorded.tools, sent.tools)
    if recorded.settings != sent.settings:
        yield "settings", _in_settings(recorded.settings, sent.settings)


def _in_instruction(recorded: str, sent: str) -> str:
    was, now = without_identity(recorded), without_identity(sent)
    return _was_and_is(recorded, sent) if was == now else _was_and_is(was, now)


def _in_conversation(recorded: Sequence[str], sent: Sequence[str]) -> str:
    pairs = enumerate(zip(recorded, sent, strict=False), 1)
    found = next(((number, was, now) for number, (was, now) in pairs if was != now), None)
    if found is None:
        were = "was" if len(recorded) == 1 else "were"
        return f"The conversation has {_messages(len(sent))} where {len(recorded)} {were} recorded."
    number, was, now = found
    return f"Message {number} of the conversation differs: {_was_and_is(_readable(was), _readable(now))}."


def _messages(count: int) -> str:
    return "1 message" if count == 1 else f"{count} messages"


def _in_tools(recorded: Sequence[str], sent: Sequence[str]) -> str:
    new, gone = [name for name in sent if name not in recorded], [name for name in recorded if name not in sent]
    said = [f"{', '.join(names)} {what}" for names, what in ((new, "was not there"), (gone, "is missing")) if names]
    return f"The tools differ: {'; '.join(said) or 'they are in another order'}."


def _in_settings(recorded: Mapping[str, Any], sent: Mapping[str, Any]) -> str:
    name = next(key for key in (*recorded, *sent) if recorded.get(key) != sent.get(key))
    was, now = (_shown(json.dumps(given[name])) if name in given else "not set" for given in (recorded, sent))
    return f"The settings differ: {name} was {was}, it is {now}."


def _was_and_is(was: str, now: str) -> str:
    """Two texts around the place where they part."""
    if not was or not now:
        return f"{_quoted(now)} is new" if now else f"{_quoted(was)} was recorded, now there is nothing"
    pairs = enumerate(zip(was, now, strict=False))
    start = next((place for place, (old, new) in pairs if old != new), min(len(was), len(now)))
    return f"{_quoted(was, start)} was recorded, now it is {_quoted(now, start)}"


def _quoted(text: str, place: int = 0) -> str:
    begin = max(0, place - _BEFORE)
    if begin and 0 < (space := text.find(" ", begin) + 1) <= place:
        begin = space
    return f"“{'…' if begin else ''}{_shown(text[begin:])}”"


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _readable(key: str) -> str:
    """A message's key as text for reading: what is said, called and answered."""
    parts: list[dict[str, Any]] = json.loads(key).get("parts") or []
    said: list[str] = []
    for part in parts:
        if call := part.get("function_call"):
            said.append(f"{call.get('name')}({json.dumps(call.get('args') or {}, ensure_ascii=False)})")
        elif answer := part.get("function_response"):
            said.append(f"{answer.get('name')} → {json.dumps(answer.get('response'), ensure_ascii=False)}")
        else:
            said.append(str(part.get("text") or json.dumps(part, ensure_ascii=False)))
    return "\n".join(said)
