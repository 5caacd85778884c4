"""Answers for agents that no simulation was written for: a stand-in, which follows the team's structure.

It transfers where a description shares more words with the message than its own, calls each tool once, ends a loop in its
third pass, fills an output schema, and else says what it was asked. It says at the top of each answer that it is a
stand-in. Its mark counts: `[stand-in: Critic 2.3, after Writer 2.1]` is the third answer of Critic to the user's second
message, and it was shown the first one of Writer. So an agent that does not see its own answers still knows its pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from google.genai import types

from agents.model import JSON_IN_WORDS
from agents.models.identity import description_in, without_identity
from agents.models.openai_compatible.format import answer_schema
from agents.models.openai_compatible.tool_protocol import parameters_of
from agents.models.simulated.language.characters import shortened
from agents.models.simulated.language.detect import Language, answer_language
from agents.models.simulated.language.phrases import phrases_beside
from agents.models.simulated.placeholders import Placeholders
from agents.models.simulated.reply import Reply
from agents.models.simulated.request import SimulatedRequest, first_sentence, is_context
from agents.models.simulated.word_overlap import listed_in, words_in

LAST_PASS = 3
"""The answer to one message with which an agent ends the loop around it."""
MOST_CALLS = 20
"""Tools that are called in one turn."""

_TRANSFER = "transfer_to_agent"
_OFFERED = "Other agents can take over this conversation:"
_LOOP = "loop"
_MOST_NAMED = 20
_MOST_SHOWN = 300
_BEGIN = "[stand-in: "
_MARK = re.compile(r"\[stand-in: ([^\[\]\n]{1,2000})\]")
_COUNTED = re.compile(r"(\w{1,80}) (\d{1,3})\.(\d{1,3})")
_NO_WORD = re.compile(r"\W")
_ASKED = re.compile(r"^> (.+)$", re.MULTILINE)
_SAID = phrases_beside(__file__, "stand_in.toml")


@dataclass(frozen=True, slots=True)
class StandIn:
    """A simulation for any agent. It reads the request's structure and understands nothing.

    Attributes:
        copy_of: The pipeline whose simulation would answer, were the agent's instruction still the one it was made for.
    """

    copy_of: str = ""

    def __call__(self, request: SimulatedRequest) -> Reply:
        """The answer: a transfer, a call, JSON, or a text; the same for the same request."""
        turn = _Turn.of(request)
        if (call := turn.transfer() or turn.exit() or turn.next_call()) is not None:
            name, arguments, why = call
            return Reply(calls=[(name, arguments)], thought=f"{turn.mark} {why}")
        if (schema := _schema_of(request)) is not None:
            is_late = max(turn.number, turn.judged) >= LAST_PASS
            asked = "" if turn.judged else without_identity(request.instruction).partition(JSON_IN_WORDS)[0]
            filled = Placeholders(turn.message, mark=turn.mark, is_late=is_late, asked=asked).fill(schema)
            return Reply(json.dumps(filled, ensure_ascii=False), thought=f"{turn.mark} {turn.say('filled')}")
        return Reply(turn.text(self.copy_of))


_Call = tuple[str, dict[str, Any], str]
"""A tool, its arguments, and why it is called."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """An agent's turn, as its request shows it.

    Attributes:
        request: The request.
        message: What the agent is asked.
        language: The language to answer in.
        number: How many answers to this message of the user it has given, with this one.
        judged: The number of the answer that the message is, if it is a stand-in's; else 0.
        mark: Says that this is a stand-in, which of its answers it is, and whose answers it was shown.
        results: The results of this turn's calls.
    """

    request: SimulatedRequest
    message: str
    language: Language
    number: int
    judged: int
    mark: str
    results: list[types.FunctionResponse]

    @classmethod
    def of(cls, request: SimulatedRequest) -> _Turn:
        name = _NO_WORD.sub("_", request.agent_name)[:80] or "agent"
        message_number, seen = _counted(request)
        number = min(999, max(seen.pop(name, 0), _own_answers(request)) + 1)
        after = ", ".join(f"{other} {message_number}.{count}" for other, count in list(seen.items())[:_MOST_NAMED])
        mark = f"[stand-in: {name} {message_number}.{number}{f', after {after}' if after else ''}]"
        text = request.last_user_text() or request.last_text()
        message = text
        judged = 0
        if text.startswith(_BEGIN) and (first := _COUNTED.search(text)):  # what it was asked itself
            judged = int(first[3])
            message = asked[1] if (asked := _ASKED.search(text)) else text
        return cls(request, message, answer_language(message), number, judged, mark, request.tool_results())

    def say(self, key: str, **fields: Any) -> str:
        return _SAID.say(self.language, key, **fields)

    def transfer(self) -> _Call | None:
        """A transfer to the agent that fits better than this one: so a message never goes in circles."""
        if not (asked := words_in(self.request.last_user_text())) or self._has_called(_TRANSFER):
            return None
        own = words_in(f"{self.request.agent_name} {description_in(self.request.instruction)}")
        best, shared = "", asked & own
        for name, description in _targets(self.request):
            if len(fitting := asked & words_in(f"{name} {description}")) > len(shared):
                best, shared = name, fitting
        if not best:
            return None
        return _TRANSFER, {"agent_name": best}, self.say("transfer", agent=best, words=", ".join(sorted(shared)))

    def exit(self) -> _Call | None:
        """The end of the loop around the agent, where a tool ends it and the agent has had its passes."""
        tools = [tool.name or "" for tool in self.request.tools if _ends_a_loop(tool) and not self._has_called(tool.name)]
        return (tools[0], {}, self.say("exit", number=self.number)) if tools and self.number >= LAST_PASS else None

    def next_call(self) -> _Call | None:
        """The first tool that was not called in this turn."""
        if len(self.results) >= MOST_CALLS:
            return None
        for tool in self.request.tools:
            if tool.name and tool.name != _TRANSFER and not _ends_a_loop(tool) and not self._has_called(tool.name):
                arguments: Any = Placeholders(self.message).fill(parameters_of(tool))
                fitting = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
                return tool.name, fitting, self.say("call")
        return None

    def text(self, copy_of: str) -> str:
        lines = [f"{self.mark} {self.say('nobody')}"]
        if copy_of:
            lines.append(self.say("changed", pipeline=copy_of))
        if self.request.built_in_tools:
            lines.append(self.say("built_in", tools=", ".join(self.request.built_in_tools)))
        if task := first_sentence(without_identity(self.request.instruction).partition(_OFFERED)[0]):
            lines.append(self.say("task", task=task))
        if asked := shortened(self.message, _MOST_SHOWN):
            lines.append(f"{self.say('asked')}\n> {asked}")
        for result in self.results:
            answer = json.dumps(result.response, ensure_ascii=False, default=str)
            lines.append(self.say("result", tool=result.name, answer=shortened(answer, _MOST_SHOWN)))
        return "\n".join([*lines, self.say("real")])

    def _has_called(self, name: str | None) -> bool:
        return any(result.name == name for result in self.results)


def _ends_a_loop(tool: types.FunctionDeclaration) -> bool:
    """Whether a tool is one such as `exit_loop`: it takes nothing, and says that it is about a loop."""
    return _LOOP in f"{tool.name} {tool.description}".lower() and not parameters_of(tool).get("properties")


def _targets(request: SimulatedRequest) -> Iterator[tuple[str, str]]:
    """The agents that may be transferred to, each with its description, as the instruction lists them."""
    tool = next((tool for tool in request.tools if tool.name == _TRANSFER), None)
    properties = cast("dict[str, dict[str, Any]]", parameters_of(tool).get("properties") or {}) if tool else {}
    for name in properties.get("agent_name", {}).get("enum") or ():
        yield name, listed_in(request.instruction, name)


def _own_answers(request: SimulatedRequest) -> int:
    """The texts with which the agent has answered the user's last message, as far as it is shown them."""
    count = 0
    for content in reversed(request.contents):
        says = any(part.text and not part.thought for part in content.parts or ())
        if content.role == "model":
            count += says and not any(part.function_call for part in content.parts or ())
        elif says and not is_context(content):
            break
    return count


def _counted(request: SimulatedRequest) -> tuple[int, dict[str, int]]:
    """The number of the user's message, and by agent the last answer to it that the request shows, by stand-ins' marks."""
    messages = sum(
        content.role == "user" and not is_context(content) and any(part.text for part in content.parts or ())
        for content in request.contents
    )
    texts = [request.instruction, *request.texts()]
    found = [_COUNTED.findall(mark[1]) for text in texts for mark in _MARK.finditer(text)]
    entries = [(name, int(message), int(answer)) for mark in found for name, message, answer in mark]
    latest = min(999, max([messages, 1, *(message for _, message, _ in entries)]))
    seen: dict[str, int] = {}
    for name, message, answer in entries:
        if message == latest:
            seen[name] = max(seen.get(name, 0), answer)
    return latest, seen


def _schema_of(request: SimulatedRequest) -> dict[str, Any] | None:
    """The JSON schema of the answer, also where the instruction has it."""
    if request.response_schema is not None:
        return answer_schema(types.GenerateContentConfig.model_construct(response_schema=request.response_schema))
    _, asked, written = request.instruction.rpartition(JSON_IN_WORDS)
    try:
        found: Any = json.JSONDecoder().raw_decode(written)[0] if asked else None
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None
