"""A tool that shows a model the session's files: always their names, and their contents on request."""

from __future__ import annotations

import json
from typing import Any, cast

from google.genai import types

from agents.model import LlmRequest
from agents.runtime.context import ToolContext
from agents.tool import BaseTool

NAME = "load_artifacts"

_USER = "user:"
_SENT_AS_FILES = ("image/", "audio/", "video/", "application/pdf")
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/csv", "application/svg+xml", "image/svg")
_TEXT_NAMES = (".csv", ".txt", ".json", ".xml", ".md")
_STATUS = "Their contents follow this once, and are not kept. To see them again, call load_artifacts again."
_PARAMETERS = {"type": "object", "properties": {"artifact_names": {"type": "array", "items": {"type": "string"}}}}


class LoadArtifactsTool(BaseTool):
    """Lets a model read the session's artifacts.

    Each request lists their names. Files that the model asks for are added to its next request only.
    """

    def __init__(self) -> None:
        super().__init__(
            name=NAME,
            description="Loads artifacts, such as files that the user uploaded, into the conversation for the next answer.",
        )

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=_PARAMETERS)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Returns the names; see `BaseTool.run_async`."""
        if (names := _names_in(args)) is None:
            return {"error": "'artifact_names' must be a list of strings."}
        return {"artifact_names": names, "status": _STATUS}

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        """Declares the tool, lists the names, and adds the requested files."""
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        known = await tool_context.list_artifacts()
        if not known:
            return
        note = (
            f"You have these artifacts: {json.dumps(known, ensure_ascii=False)}. Before you answer a question about one, "
            f"call {NAME} with its name, even if you have loaded it before: what you said of it then may be out of date."
        )
        llm_request.append_instructions([note])
        for name in _asked_for(llm_request.contents):
            stored = name if name in known else f"{_USER}{name}"
            if stored in known and (artifact := await tool_context.load_artifact(stored)) is not None:
                parts = [types.Part(text=f"Artifact {name} is:"), _readable(artifact, name)]
                llm_request.contents.append(types.Content(role="user", parts=parts))


def _asked_for(contents: list[types.Content]) -> list[str]:
    """The names that the model has just asked for."""
    parts = contents[-1].parts or [] if contents else []
    answers = [part.function_response for part in parts if part.function_response and part.function_response.name == NAME]
    return [name for answer in answers for name in _names_in(answer.response or {}) or []]


def _names_in(fields: dict[str, Any]) -> list[str] | None:
    """The names in a call or its answer, None if they are malformed."""
    given = fields.get("artifact_names", [])
    if not isinstance(given, list):
        return None
    names = cast("list[Any]", given)
    return [str(name) for name in names] if all(isinstance(name, str) for name in names) else None


def _readable(artifact: types.Part, name: str) -> types.Part:
    """A file as models can read it: unchanged, as text, or as a note of its kind."""
    if (held := artifact.inline_data) is None:
        return artifact
    kind = (held.mime_type or "application/octet-stream").partition(";")[0].strip().lower()
    data = held.data or b""
    if kind.startswith(_TEXT_TYPES) or name.lower().endswith(_TEXT_NAMES):
        return types.Part(text=data.decode(errors="replace"))
    if kind.startswith(_SENT_AS_FILES):
        return artifact
    return types.Part(text=f"[{name} is a file of type {kind} with {len(data)} bytes, which cannot be shown here.]")


load_artifacts = LoadArtifactsTool()
