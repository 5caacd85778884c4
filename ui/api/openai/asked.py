"""What a client asks, whichever of the two forms it uses: the conversation so far, the new message, and its wishes."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from google.genai import types

from agents.runs import ClientFunction, ClientRequest
from ui.api.openai.errors import ParameterError

MOST_FUNCTIONS = 128
"""As many as OpenAI takes."""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_DATA_URL = re.compile(r"data:([\w.+/-]{1,100})(?:;[\w=.-]{1,100})?;base64,")
_SESSION_ID = re.compile(r"[\w.:@ -]{1,128}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request.

    Attributes:
        model: As the client named it: a pipeline, or a pipeline and the model that its agents ask, "ace/gemini-2.5-flash".
        history: The conversation before the new message.
        message: The text of the new message; "" if there are results.
        files: What goes with it.
        results: What the client's functions gave, by the ids of their calls.
        client: What the client asks of the agent that answers.
        session: The id of a session that the client chose; "" for none.
        user: The client's user, whose session it is without another; "".
        previous: The response that this one follows; "".
        stream: Whether the answer is streamed.
        with_usage: Whether a stream of chunks ends with the usage.
        echoed: What the answer repeats of the request.
    """

    model: str
    history: Sequence[types.Content]
    message: str
    files: Sequence[types.Part]
    results: Mapping[str, str]
    client: ClientRequest
    session: str = ""
    user: str = ""
    previous: str = ""
    stream: bool = False
    with_usage: bool = False
    echoed: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def pipeline(self) -> str:
        """The pipeline's name."""
        return self.model.partition("/")[0]

    @property
    def agents_model(self) -> str | None:
        """The model that agents ask; None for the usual one."""
        return self.model.partition("/")[2] or None


def asked_in(
    model: str, contents: Sequence[types.Content], client: ClientRequest, about: Mapping[str, Any], **more: Any
) -> Asked:
    """A request, its contents divided into what was said before and what is new.

    Args:
        model: See `Asked`.
        contents: The whole conversation.
        client: What is asked of the agent that answers.
        about: The body, for the fields `conversation`, `metadata`, `user` and `stream`.
        more: Further fields.

    Raises:
        ParameterError: There is nothing to answer, or an id cannot be one.
    """
    new = len(contents)
    while new and contents[new - 1].role == "user":
        new -= 1
    parts = [part for content in contents[new:] for part in content.parts or ()]
    results = {
        part.function_response.id or "": _result_of(part.function_response) for part in parts if part.function_response
    }
    text = "\n\n".join(part.text for part in parts if part.text)
    if not results and not text.strip():
        raise ParameterError("messages", "There is nothing to answer: the last message has to be the user's, with a text.")
    if results and text.strip():
        raise ParameterError("messages", "Results of functions and a message came at once. Send the results first.")
    conversation: Any = about.get("conversation")
    conversation = cast("dict[str, Any]", conversation).get("id") if isinstance(conversation, dict) else conversation
    metadata: Any = about.get("metadata") or {}
    session = (
        conversation or (cast("dict[str, Any]", metadata).get("session_id") if isinstance(metadata, dict) else "") or ""
    )
    for name, given in (("conversation", session), ("user", about.get("user") or "")):
        if given and not (isinstance(given, str) and _SESSION_ID.fullmatch(given)):
            raise ParameterError(name, f"{name} has to be a text of at most 128 letters, digits and signs of “. : @ _ -”.")
    return Asked(
        model,
        contents[:new],
        text,
        [part for part in parts if part.inline_data],
        results,
        client,
        session=session,
        user=about.get("user") or "",
        stream=about.get("stream") is True,
        **more,
    )


def part_of(piece: Any, param: str) -> types.Part:
    """A part of a message: a text, or a picture or file that comes with it. Nothing is fetched.

    Raises:
        ParameterError: It is something else.
    """
    given = cast("dict[str, Any]", piece) if isinstance(piece, dict) else {}
    match given:
        case {"type": "text" | "input_text" | "output_text", "text": str(text)} | {"type": "refusal", "refusal": str(text)}:
            return types.Part(text=text)
        case {"type": "image_url", "image_url": {"url": str(url)}} | {"type": "input_image", "image_url": str(url)}:
            return types.Part(inline_data=_blob(url, param))
        case {"type": "file", "file": {"file_data": str(data), **rest}} | {
            "type": "input_file",
            "file_data": str(data),
            **rest,
        }:
            return types.Part(inline_data=_blob(data, param, name=rest.get("filename")))
        case _:
            kind = str(given.get("type"))[:40]
            raise ParameterError(
                param, f"Parts of type {kind!r} are not taken. Send text, or images and files as data URLs."
            )


def _blob(url: str, param: str, *, name: Any = None) -> types.Blob:
    head = _DATA_URL.match(url)
    if head is None:
        raise ParameterError(param, "Files are not fetched from addresses. Send the content as a data URL in base64.")
    try:
        data = base64.b64decode(url[head.end() :], validate=True)
    except binascii.Error:
        raise ParameterError(param, "The content of the data URL is not base64.") from None
    return types.Blob(data=data, mime_type=head[1], display_name=name if isinstance(name, str) else None)


def parts_of(content: Any, param: str) -> list[types.Part]:
    """The parts of a message's content: a text, or a list.

    Raises:
        ParameterError: It is neither.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [types.Part(text=content)] if content else []
    if not isinstance(content, list):
        raise ParameterError(param, "The content has to be a text or a list of parts.")
    return [part_of(piece, f"{param}.{number}") for number, piece in enumerate(cast("list[Any]", content))]


def call_part(call_id: Any, name: Any, arguments: Any, param: str) -> types.Part:
    """A call of a client's function that the conversation has.

    Raises:
        ParameterError: It is none.
    """
    try:
        args: Any = json.loads(arguments) if isinstance(arguments, str) and arguments else {}
    except (ValueError, RecursionError):
        args = {"arguments": arguments}
    if not isinstance(call_id, str) or not isinstance(name, str):
        raise ParameterError(param, "A call needs an id and the name of its function.")
    held = cast("dict[str, Any]", args) if isinstance(args, dict) else {"arguments": args}
    return types.Part(function_call=types.FunctionCall(id=call_id, name=name, args=held))


def result_part(call_id: Any, content: Any, param: str) -> types.Part:
    """What a client's function gave.

    Raises:
        ParameterError: It has no id, or no text.
    """
    if not isinstance(call_id, str) or not call_id:
        raise ParameterError(param, "A result needs the id of its call.")
    text = "".join(part.text or "" for part in parts_of(content, param))
    return types.Part(function_response=types.FunctionResponse(id=call_id, name="", response={"result": text}))


def _result_of(response: types.FunctionResponse) -> str:
    return str((response.response or {}).get("result", ""))


# -- the client's wishes


def client_request(
    instruction: str, tools: Any, tool_choice: Any, schema: Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> ClientRequest:
    """What is asked of the agent that answers.

    Args:
        instruction: The texts of system and developer.
        tools: In either form.
        tool_choice: In either form.
        schema: The JSON schema of the answer.
        settings: See `settings_of`.

    Raises:
        ParameterError: A tool is no function, or the choice names none.
    """
    functions = _functions(tools)
    must_call = tool_choice == "required"
    match tool_choice:
        case None | "auto" | "required":
            pass
        case "none":
            functions = []
        case {"type": "function", "function": {"name": str(name)}} | {"type": "function", "name": str(name)}:
            functions, must_call = _named(functions, [name]), True
        case {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [*tools]}} | {
            "type": "allowed_tools",
            "mode": mode,
            "tools": [*tools],
        }:
            names = [_flat(tool).get("name") for tool in cast("list[Any]", tools)]
            functions, must_call = _named(functions, names), mode == "required"
        case _:
            raise ParameterError(
                "tool_choice", "tool_choice is auto, none, required, or names one of the functions in tools."
            )
    if must_call and not functions:
        raise ParameterError("tool_choice", "tool_choice requires a call, and tools has no function to call.")
    return ClientRequest(instruction, tuple(functions), must_call, schema, settings)


def _functions(tools: Any) -> list[ClientFunction]:
    listed = cast("list[Any]", tools) if isinstance(tools, list) else [] if tools is None else [tools]
    if len(listed) > MOST_FUNCTIONS:
        raise ParameterError("tools", f"There are {len(listed)} tools; at most {MOST_FUNCTIONS} can be.")
    found: dict[str, ClientFunction] = {}
    for number, tool in enumerate(listed):
        match flat := _flat(tool):
            case {"type": "function", "name": str(name)} if _NAME.fullmatch(name) and name not in found:
                parameters: Any = flat.get("parameters") or {}
                if not isinstance(parameters, dict):
                    raise ParameterError(f"tools.{number}", "parameters has to be a JSON schema.")
                schema = {"type": "object", "properties": {}, **cast("dict[str, Any]", parameters)}
                found[name] = ClientFunction(name, str(flat.get("description") or ""), schema)
            case {"type": "function"}:
                said = "A function needs a name of its own, of at most 64 letters, digits, “_”, “-” and “.”."
                raise ParameterError(f"tools.{number}", said)
            case _:
                said = (
                    f"Tools of type {str(flat.get('type'))[:40]!r} are not taken, only functions: the pipeline has its own."
                )
                raise ParameterError(f"tools.{number}", said)
    return list(found.values())


def _flat(tool: Any) -> dict[str, Any]:
    """A tool in the form of responses, which has no object `function`."""
    given = cast("dict[str, Any]", tool) if isinstance(tool, dict) else {}
    inner: Any = given.get("function")
    return {**given, **cast("dict[str, Any]", inner)} if isinstance(inner, dict) else given


def _named(functions: Sequence[ClientFunction], names: Sequence[Any]) -> list[ClientFunction]:
    if lacking := [name for name in names if name not in {function.name for function in functions}]:
        raise ParameterError("tool_choice", f"tool_choice names {str(lacking[0])[:64]!r}, which is not in tools.")
    return [function for function in functions if function.name in names]


def schema_of(wanted: Any, param: str) -> Mapping[str, Any] | None:
    """The schema of a `response_format` or `text.format`; None for a text.

    Raises:
        ParameterError: It is of no known type.
    """
    inner = cast("dict[str, Any]", wanted).get("json_schema", wanted) if isinstance(wanted, dict) else None
    match wanted:
        case None | {"type": "text"}:
            return None
        case {"type": "json_object"}:
            return {"type": "object"}
        case {"type": "json_schema"} if isinstance(inner, dict) and isinstance(
            schema := cast("dict[str, Any]", inner).get("schema"), dict
        ):
            return cast("dict[str, Any]", schema)
        case _:
            raise ParameterError(param, f"{param} is of type text, json_object, or json_schema with a schema.")


_SETTINGS: Mapping[str, tuple[str, type | tuple[type, ...]]] = {
    "temperature": ("temperature", (int, float)),
    "top_p": ("top_p", (int, float)),
    "seed": ("seed", int),
    "presence_penalty": ("presence_penalty", (int, float)),
    "frequency_penalty": ("frequency_penalty", (int, float)),
    "max_tokens": ("max_output_tokens", int),
    "max_completion_tokens": ("max_output_tokens", int),
    "max_output_tokens": ("max_output_tokens", int),
}


def settings_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The generation settings of a body, by their names in `GenerateContentConfig`.

    Raises:
        ParameterError: One is no number.
    """
    found: dict[str, Any] = {}
    for name, (field_name, kind) in _SETTINGS.items():
        if (value := body.get(name)) is None:
            continue
        if isinstance(value, bool) or not isinstance(value, kind):
            raise ParameterError(name, f"{name} has to be a number.")
        if field_name == "max_output_tokens" and value < 1:
            raise ParameterError(name, f"{name} has to be at least 1.")
        found[field_name] = value
    if stop := body.get("stop"):
        found["stop_sequences"] = [str(one) for one in (cast("list[Any]", stop) if isinstance(stop, list) else [stop])][:4]
    return found
