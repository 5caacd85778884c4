"""The request as a simulation reads it, and functions to read prompts.

All of it is computed from what was really sent: the instruction after templating, the contents and the tool
declarations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, cast

from google.genai import types

from agents.model import LlmRequest
from agents.models.identity import OTHERS_WORDS, quoted_in
from agents.models.simulated.code_fences import blocks_in, first_block, whole_block

AGENT_LABEL = "adk_agent_name"
"""The label of a request that names the agent that makes it."""

_SAID = re.compile(r"\[(\w+)\] said:\n(.*)", re.DOTALL)
_BLANKS = " \t"
_DEEPEST = 6
"""Signs before a Markdown heading, at most."""
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]+\S.*|(?:\*\*[^*\n]+\*\*:?|<[/\w]+>)[ \t]*)")
_SENTENCE = re.compile(r"(.+?[.!?…])(?:\s|$)|(.+)")


class Said(NamedTuple):
    """A text in the conversation and its author.

    `by` is "user", "model" for the agent itself, or the name of another agent.
    """

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class SimulatedRequest:
    """A request, to be read by a simulation. Not to be changed: the contents are shared with the session.

    Attributes:
        agent_name: The calling agent, "" if the request does not say.
        instruction: The system instruction, as a real model would read it.
        contents: The conversation, oldest first.
        tools: Declarations of the tools that may be called.
        built_in_tools: Names of tools that only a provider runs, such as "google_search".
        response_schema: The schema that the answer must fit, as it was sent; None where any text will do.
        max_output_tokens: How long the answer may be; None for no limit.
    """

    agent_name: str
    instruction: str
    contents: tuple[types.Content, ...]
    tools: tuple[types.FunctionDeclaration, ...] = ()
    response_schema: Any = None
    max_output_tokens: int | None = None
    built_in_tools: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: LlmRequest) -> Self:
        """What was really sent in `request`."""
        config = request.config
        tools = cast("list[Any]", config.tools or [])  # pyright: ignore[reportUnknownMemberType]  typed so by the SDK
        declared = [tool.function_declarations or [] for tool in tools if isinstance(tool, types.Tool)]
        return cls(
            agent_name=(config.labels or {}).get(AGENT_LABEL, ""),
            instruction=request.system_instruction,
            contents=tuple(request.contents),
            tools=tuple(declaration for declarations in declared for declaration in declarations),
            response_schema=config.response_json_schema or config.response_schema,
            max_output_tokens=config.max_output_tokens,
            built_in_tools=tuple(request.built_in_tools),
        )

    def may_call(self, name: str) -> bool:
        """Whether a tool of that name was declared."""
        return any(tool.name == name for tool in self.tools)

    def history(self) -> list[Said]:
        """Every text of the conversation with who said it, oldest first; thoughts left out."""
        return [said for content in self.contents for said in _texts_of(content)]

    def texts(self) -> list[str]:
        """Every text of the conversation, oldest first; thoughts left out."""
        return [said.text for said in self.history()]

    def last_text(self) -> str:
        """The last text of the conversation, by any author; "" if there is none."""
        return next((said[-1].text for content in reversed(self.contents) if (said := list(_texts_of(content)))), "")

    def last_user_text(self) -> str:
        """The user's last text, "" if there is none; other agents' texts sent as context do not count."""
        for content in reversed(self.contents):
            if content.role == "user" and not is_context(content):
                texts = [part.text for part in content.parts or () if part.text]
                if texts:
                    return "\n".join(texts)
        return ""

    def last_user_object(self) -> dict[str, Any]:
        """The JSON object that the user's last text is, as nodes of a graph are given one; {} for any other text."""
        try:
            found: Any = json.loads(self.last_user_text())
        except (ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    def last_said_by(self, agent_name: str) -> str:
        """What another agent said last, as it was sent for context; "" if nothing of it was sent."""
        return next((said.text for said in reversed(self.history()) if said.by == agent_name), "")

    def tool_results(self, name: str | None = None) -> list[types.FunctionResponse]:
        """The results of this turn's tool calls, oldest first.

        The turn began with the last message of the user or of another agent, or after the last text with which the
        agent ended its answer.

        Args:
            name: Only those of this tool.
        """
        results: list[types.FunctionResponse] = []
        for content in reversed(self.contents):
            parts = content.parts or []
            answered = [part.function_response for part in parts if part.function_response]
            says = any(part.text and not part.thought for part in parts)
            if says and not answered and not any(part.function_call for part in parts):
                break
            results[:0] = answered
        return [result for result in results if name is None or result.name == name]

    def last_answer(self, tool: str) -> dict[str, Any] | None:
        """The last answer of a tool in this turn, None if it was not called."""
        results = self.tool_results(tool)
        return (results[-1].response or {}) if results else None

    def section(self, title: str, *, until: str | None = None) -> str:
        """The part of the instruction below a heading, see `section_of`."""
        return section_of(self.instruction, title, until=until)


def section_of(text: str, title: str, *, until: str | None = None) -> str:
    """The part of a prompt below a heading.

    A heading is a line of its own (`## Title`, `**Title:**`, `<title>`, `Title:`), or begins a line that goes on with
    the section (`Title: …`, `**Title:** …`). Case does not matter. A section that begins with a code fence is what is
    inside the fence, one below `<title>` ends at `</title>`; any other goes to the next Markdown or XML heading, or to
    the end.

    Args:
        text: The prompt.
        title: The heading without its decoration, e.g. "Current Document".
        until: Title of the heading that ends the section: for text that may contain headings and fences itself.

    Returns:
        The section without white space around it, "" if there is no such heading.
    """
    if (heading := _find_heading(text, title)) is None:
        return ""
    rest = text[heading.end :]
    closing = f"</{title}>"
    if until is not None:
        end = _find_heading(rest, until)
        rest = rest[: end.begin].strip() if end else rest.strip()
        code = whole_block(rest)
        return (rest if code is None else code).strip()
    if heading.is_tag and closing.lower() in rest.lower():
        return rest[: rest.lower().index(closing.lower())].strip()
    if block := first_block(rest):
        return block.code.strip()
    kept: list[str] = []
    for line in rest.lstrip("\n").splitlines():
        if _HEADING.fullmatch(line):
            break
        kept.append(line)
    return "\n".join(kept).strip()


def first_sentence(text: str, *, most: int = 200) -> str:
    """The first sentence of a text on one line, cut after `most` characters."""
    found = _SENTENCE.match(" ".join(text.split()))
    sentence = (found[1] or found[2]) if found else ""
    return sentence if len(sentence) <= most else sentence[: most - 1].rstrip() + "…"


class _Heading(NamedTuple):
    begin: int
    end: int
    is_tag: bool = False


def _find_heading(text: str, title: str) -> _Heading | None:
    """The first heading of that title that is not inside a code fence."""
    if title.lower() not in text.lower():
        return None
    begin = 0
    for block in blocks_in(text):
        if found := _heading_between(text, title, begin, block.begin):
            return found
        begin = block.end
    return _heading_between(text, title, begin, len(text))


def _heading_between(text: str, title: str, begin: int, end: int) -> _Heading | None:
    for line in text[begin:end].split("\n"):
        if (length := _length_of_heading(line, title)) is not None:
            return _Heading(begin, begin + length, line.lstrip().startswith("<"))
        begin += len(line) + 1
    return None


def _length_of_heading(line: str, title: str) -> int | None:
    """Where the heading ends that begins a line, None if the line does not begin with one of that title."""
    bare = line.strip(_BLANKS)
    if bare.startswith("#"):
        named = bare.lstrip("#")
        rest = _after(named.lstrip(_BLANKS), title) if named[:1] in tuple(_BLANKS) else None
        is_heading = rest is not None and rest.strip(_BLANKS) in ("", ":") and len(bare) - len(named) <= _DEEPEST
        return len(line) if is_heading else None
    if bare.startswith("**"):
        rest = _after(bare[2:], title)
        rest = None if rest is None else _after(rest.lstrip(_BLANKS).removeprefix(":"), "**")
        rest = None if rest is None else rest.removeprefix(":")
    elif bare.startswith("<"):
        rest = _after(bare, f"<{title}>")
    else:
        rest = _after(bare, title)
        rest = None if rest is None else _after(rest.lstrip(_BLANKS), ":")
    if rest is None:
        return None
    rest = rest.lstrip(_BLANKS)
    return len(line.rstrip(_BLANKS)) - len(rest) if rest else len(line)


def _after(text: str, begin: str) -> str | None:
    """What follows a beginning, in whatever case it is written; None if the text begins otherwise."""
    return text[len(begin) :] if text[: len(begin)].lower() == begin.lower() else None


def is_context(content: types.Content) -> bool:
    """Whether a content tells what another agent said and did."""
    return bool(content.parts) and content.parts[0].text == OTHERS_WORDS


def _texts_of(content: types.Content) -> Iterator[Said]:
    parts = [part.text for part in content.parts or () if part.text and not part.thought]
    by: Literal["user", "model"] = "model" if content.role == "model" else "user"
    if not is_context(content):
        yield from (Said(by, text) for text in parts)
        return
    for text in parts[1:]:
        if (found := _SAID.fullmatch(text)) and (said := quoted_in(found[2])) is not None:
            yield Said(found[1], said)
