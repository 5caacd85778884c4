"""The JSON protocol: tools for models without native tool calls. Writes the instruction and reads the replies.

The model answers with one JSON object, `{"tool_call": {"name": …, "arguments": {…}}}` or `{"response": "…"}`; where a
server can constrain it to a schema, it can do nothing else. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.genai import types

from agents.models.openai_compatible.tool_protocol_reader import ResponseReader, calls_and_texts_in

MOST_CHARACTERS = 2000
"""Longest string if its schema sets no limit: a small model may never end one otherwise."""
MOST_ITEMS = 50
"""The same for lists."""

RESULT_OF = "Result of"
"""Beginning of the message with a tool's result."""

_AS_THEY_ARE = frozenset({"enum", "const", "default", "examples", "required"})
_BY_NAME = frozenset({"properties", "patternProperties", "$defs"})
_CLOSED = {"type": "object", "additionalProperties": False}
_DEFINED = "#/$defs/"


@dataclass(frozen=True, slots=True)
class Reply:
    """The meaning of a model's reply.

    Attributes:
        text: What it says.
        calls: The tools it wants run, in order, without ids.
    """

    text: str = ""
    calls: tuple[types.FunctionCall, ...] = ()


def instruction_of(tools: Sequence[types.FunctionDeclaration], *, must_call: bool = False) -> str:
    """The instruction: the tools, and how to answer.

    Args:
        tools: The tools; at least one.
        must_call: Whether an answer must be a tool call.
    """
    listed = "\n".join(_described(tool) for tool in tools)
    ways = 'To call a tool:\n{"tool_call": {"name": "<the tool>", "arguments": {<its arguments>}}}'
    if not must_call:
        ways += '\nTo answer in words, when no tool is needed or the results are enough:\n{"response": "<your answer>"}'
    return (
        f"You can call these tools:\n{listed}\n\nAnswer with exactly one JSON object and nothing else.\n{ways}\n"
        f'What a tool returns comes in a message that begins with "{RESULT_OF}". Never make up a result.'
    )


def _described(tool: types.FunctionDeclaration) -> str:
    parameters = parameters_of(tool)
    takes = json.dumps(parameters, ensure_ascii=False) if parameters.get("properties") else "none"
    words = " ".join((tool.description or "").split())
    return f"- {tool.name}: {words or 'no description.'} Arguments: {takes}"


def parameters_of(tool: types.FunctionDeclaration) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    given = cast("Any", tool).parameters_json_schema
    if isinstance(given, dict):
        return cast("dict[str, Any]", given)
    if tool.parameters is not None:
        return tool.parameters.json_schema.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {"type": "object", "properties": {}}


def schema_of(
    tools: Sequence[types.FunctionDeclaration],
    response_schema: Mapping[str, Any] | None = None,
    *,
    must_call: bool = False,
    bounds: bool = True,
) -> dict[str, Any]:
    """The JSON schema that a reply must fit.

    Args:
        tools: The tools that may be called.
        response_schema: The schema of the answer itself; None for text.
        must_call: Whether an answer in words is not wanted.
        bounds: Whether strings and lists are `bounded`, all but the answer in words.

    Returns:
        The schema. Definitions are moved to its top, where `$ref` looks for them.
    """
    limited = bounded if bounds else dict[str, Any]
    definitions: dict[str, Any] = {}
    options: list[dict[str, Any]] = []
    for tool in tools:
        arguments = _moved(limited(parameters_of(tool)), f"{tool.name}.", definitions)
        call = _object(name={"const": tool.name}, arguments={"type": "object", **arguments})
        options.append(_object(tool_call=call))
    if not must_call or not options:
        # A text has no bound: an answer that is too long is to end at the limit of tokens, and say so.
        said = {"type": "string"} if response_schema is None else _moved(limited(response_schema), "response.", definitions)
        options.append(_object(response=said))
    schema: dict[str, Any] = {"anyOf": options} if len(options) > 1 else options[0]
    return {**schema, "$defs": definitions} if definitions else schema


def _object(**properties: Any) -> dict[str, Any]:
    return {**_CLOSED, "properties": properties, "required": list(properties)}


def _moved(schema: dict[str, Any], prefix: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """`schema` with its definitions put into `definitions` under names of their own."""
    for name, defined in schema.get("$defs", {}).items():
        definitions[prefix + name] = _renamed(defined, prefix)
    return _renamed({key: value for key, value in schema.items() if key != "$defs"}, prefix)


def _renamed(schema: Any, prefix: str) -> Any:
    if isinstance(schema, list):
        return [_renamed(item, prefix) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", schema).items():
        if key == "$ref" and isinstance(value, str) and value.startswith(_DEFINED):
            made[key] = _DEFINED + prefix + value.removeprefix(_DEFINED)
        else:
            made[key] = value if key in _AS_THEY_ARE else _renamed(value, prefix)
    return made


def added_limits(plain: Any, limited: Any) -> dict[str, int]:
    """The limits in a schema that was `bounded` and not in the plain one: of "characters" of a text, "items" of a list."""
    before, after = json.dumps(plain), json.dumps(limited)
    added = {"characters": ('"maxLength": ', MOST_CHARACTERS), "items": ('"maxItems": ', MOST_ITEMS)}
    return {name: most for name, (key, most) in added.items() if after.count(key) > before.count(key)}


def bounded(schema: Any) -> Any:
    """A JSON schema whose strings and lists have a greatest length; those that say theirs keep it.

    For llama.cpp alone: its grammar lets a small model write a string or a list without end.

    What stands before a required property is required too: llama.cpp would have an answer begin with the required ones, and
    a model that says its answer before its reasons has none.
    """
    if isinstance(schema, list):
        return [bounded(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("dict[str, Any]", schema)
    made: dict[str, Any] = {}
    for key, value in given.items():
        if key in _BY_NAME and isinstance(value, dict):
            made[key] = {name: bounded(inner) for name, inner in cast("dict[str, Any]", value).items()}
        else:
            made[key] = value if key in _AS_THEY_ARE else bounded(value)
    kinds: Any = given.get("type")
    if _is_or_has(kinds, "string") and not given.keys() & {"enum", "const", "pattern", "format", "maxLength"}:
        made["maxLength"] = max(MOST_CHARACTERS, given.get("minLength", 0))
    if _is_or_has(kinds, "array") and "maxItems" not in given:
        made["maxItems"] = max(MOST_ITEMS, given.get("minItems", 0))
    if isinstance(properties := given.get("properties"), dict) and isinstance(needed := given.get("required"), list):
        names = list(cast("dict[str, Any]", properties))
        last = max((place for place, name in enumerate(names, start=1) if name in needed), default=0)
        made["required"] = [*names[:last], *(name for name in cast("list[str]", needed) if name not in names)]
    return made


def _is_or_has(kinds: Any, kind: str) -> bool:
    return kinds == kind or (isinstance(kinds, list) and kind in kinds)


def written(text: str, calls: Iterable[types.FunctionCall] = ()) -> str:
    """A reply as the model would have written it, for the history that it is shown: an object a line."""
    lines = [json.dumps({"response": text}, ensure_ascii=False)] if text else []
    for call in calls:
        made = {"tool_call": {"name": call.name, "arguments": call.args or {}}}
        lines.append(json.dumps(made, ensure_ascii=False, default=str))
    return "\n".join(lines)


def result_text(response: types.FunctionResponse) -> str:
    """A tool's result as the model reads it."""
    return f"{RESULT_OF} {response.name}: {json.dumps(response.response, ensure_ascii=False, default=str)}"


def read_reply(text: str, tools: Sequence[types.FunctionDeclaration], *, cut: bool = False) -> Reply:
    """A reply's text and calls, with small models' mistakes repaired; what cannot be read is text.

    Args:
        text: The reply.
        tools: The tools that were offered.
        cut: Whether the reply was cut off at a length limit: then nothing is guessed, so that no half call is made.
    """
    names = {tool.name or "" for tool in tools}
    reader = ResponseReader()
    said = reader.add(text) + reader.end()
    if reader.found:
        calls, _, _ = calls_and_texts_in(reader.rest, names, repair=not cut)
        return Reply(said, tuple(calls))
    calls, texts, around = calls_and_texts_in(text, names, repair=not cut)
    if calls:
        return Reply("\n\n".join(part for part in (around, *texts) if part), tuple(calls))
    if texts:
        return Reply("\n\n".join(texts))
    return Reply("" if cut and text.lstrip().startswith("{") else text)


def read_calls(text: str, tools: Sequence[types.FunctionDeclaration]) -> Reply:
    """A text in which a model that has tools of its own wrote its calls out; the text as it is where there are none."""
    calls, _, around = calls_and_texts_in(text, {tool.name or "" for tool in tools}, only_named=True)
    return Reply(around, tuple(calls)) if calls else Reply(text)
