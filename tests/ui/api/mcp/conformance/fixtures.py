"""Our server with the tools, resources and prompts that the conformance suite calls by name, served as the app serves it.

`python -m tests.ui.api.mcp.conformance.fixtures PORT`
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    AudioContent,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    SetLevelRequestParams,
    TextContent,
    TextResourceContents,
)
from pydantic import Field
from starlette.applications import Starlette
from starlette.routing import Route

from agents.workspace import Workspace
from ui.access.guard import Guard
from ui.access.identity import Identity
from ui.api.mcp.route import PATH, McpEndpoint
from ui.api.mcp.server import PlaygroundServer
from ui.dependencies.mcp_private import answer_method
from ui.state import runs

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
IMAGE = ImageContent(type="image", data=PNG, mime_type="image/png")


def form(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def question(message: str, **fields: Any) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=form(**fields)))


def request_of_model(text: str, tokens: int) -> CreateMessageRequest:
    said = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[said], max_tokens=tokens))


TEXT = {"type": "string"}
NAME = question("What is your name?", name=TEXT)


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def resource(uri: str, said: str, mime_type: str = "text/plain") -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=said)
    return EmbeddedResource(type="resource", resource=contents)


def missing(ctx: Context[Any], wanted: Mapping[str, Any], state: str | None = None) -> InputRequiredResult | None:
    """What a tool still asks for; None once all answers have the shape of one."""
    given = ctx.input_responses or {}
    if all(name in given and answered(wanted[name], given[name]) for name in wanted):
        return None
    return InputRequiredResult(input_requests=dict(wanted), request_state=state)


def answered(asked: Any, response: Any) -> bool:
    field = {"elicitation/create": "action", "sampling/createMessage": "content", "roots/list": "roots"}[asked.method]
    told = getattr(response, field, None)
    if field != "action":
        return told is not None
    required = asked.params.requested_schema["required"]
    return told == "accept" and all(name in (response.content or {}) for name in required)


async def test_tool_with_logging(ctx: Context[Any]) -> str:
    """Logs three times."""
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(said)
        await asyncio.sleep(0.05)
    return "Logged."


async def test_tool_with_progress(ctx: Context[Any]) -> str:
    """Reports progress."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await asyncio.sleep(0.05)
    return "Done."


def test_error_handling() -> str:
    """Fails."""
    raise ToolError("This tool intentionally returns an error for testing")


async def test_sampling(prompt: str, ctx: Context[Any]) -> str:
    """Asks the client's model."""
    asked_for = [SamplingMessage(role="user", content=text(prompt))]
    said = await ctx.session.create_message(asked_for, max_tokens=100, related_request_id=ctx.request_id)
    return f"LLM response: {said.content}"


async def asked(ctx: Context[Any], message: str, schema: dict[str, Any]) -> str:
    said = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    return f"action={said.action}, content={json.dumps(said.content)}"


async def test_elicitation(message: str, ctx: Context[Any]) -> str:
    """Asks the client's user."""
    fields = {"username": {**TEXT, "description": "User's response"}, "email": {**TEXT, "description": "User's email"}}
    return f"User response: {await asked(ctx, message, form(**fields))}"


async def test_elicitation_sep1034_defaults(ctx: Context[Any]) -> str:
    """Asks with defaults."""
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return f"Elicitation completed: {await asked(ctx, 'Check these.', form(**fields))}"


async def test_elicitation_sep1330_enums(ctx: Context[Any]) -> str:
    """Asks with lists of options."""
    plain = ["option1", "option2", "option3"]

    def titled(ending: str) -> list[dict[str, str]]:
        return [
            {"const": f"value{n}", "title": f"{word} {ending}"} for n, word in enumerate(("First", "Second", "Third"), 1)
        ]

    old = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]}
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {"type": "string", **old},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }
    return f"Elicitation completed: {await asked(ctx, 'Choose.', form(**fields))}"


async def test_reconnection(ctx: Context[Any]) -> str:
    """Closes the stream of its answer before it is there."""
    await ctx.close_sse_stream()
    await asyncio.sleep(0.1)
    return "Reconnected."


Result = str | InputRequiredResult


async def test_input_required_result_elicitation(ctx: Context[Any]) -> Result:
    """Asks for a name."""
    given = ctx.input_responses or {}
    return missing(ctx, {"user_name": NAME}) or f"Hello, {given['user_name'].content['name']}!"


async def test_input_required_result_sampling(ctx: Context[Any]) -> Result:
    """Asks the client's model."""
    wanted = {"capital_question": request_of_model("What is the capital of France?", 100)}
    return missing(ctx, wanted) or str((ctx.input_responses or {})["capital_question"].content)


async def test_input_required_result_list_roots(ctx: Context[Any]) -> Result:
    """Asks for the client's folders."""
    wanted = {"client_roots": ListRootsRequest()}
    return missing(ctx, wanted) or ", ".join(str(root.uri) for root in (ctx.input_responses or {})["client_roots"].roots)


async def test_input_required_result_request_state(ctx: Context[Any]) -> Result:
    """Keeps a state at the client."""
    wanted = {"confirm": question("Please confirm", ok={"type": "boolean"})}
    return missing(ctx, wanted, "kept") or ("state-ok" if ctx.request_state == "kept" else "state lost")


async def test_input_required_result_multiple_inputs(ctx: Context[Any]) -> Result:
    """Asks for three things at once."""
    wanted = {
        "user_name": NAME,
        "greeting": request_of_model("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    return missing(ctx, wanted, "kept") or "All there."


async def test_input_required_result_multi_round(ctx: Context[Any]) -> Result:
    """Asks twice, one after the other."""
    first = {"step1": question("Step 1: What is your name?", name=TEXT)}
    second = {"step2": question("Step 2: What is your favorite color?", color=TEXT)}
    if ctx.request_state not in ("named", None, "begun"):
        raise ToolError("Another call's state.")
    if ctx.request_state != "named":
        return missing(ctx, first, "begun") or InputRequiredResult(input_requests=second, request_state="named")
    return missing(ctx, second, "named") or "Both there."


async def test_input_required_result_capabilities(ctx: Context[Any]) -> Result:
    """Asks what the client says that it can answer."""
    told = ctx.client_capabilities
    wanted: dict[str, Any] = {}
    if told is not None and told.elicitation is not None:
        wanted["user_name"] = NAME
    if told is not None and told.sampling is not None:
        wanted["greeting"] = request_of_model("Generate a greeting", 50)
    return (missing(ctx, wanted) if wanted else None) or "Nothing to ask."


def ask_model() -> Sample:
    return Sample([SamplingMessage(role="user", content=text("Hello"))], max_tokens=5)


def test_missing_capability(said: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    """Needs a client with a model."""
    return str(said.content)


def test_custom_header(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Has an argument that is also a header."""
    return f"Region {region}."


CONTENT: dict[str, Any] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [IMAGE],
    "test_audio_content": [AudioContent(type="audio", data=WAV, mime_type="audio/wav")],
    "test_embedded_resource": [resource("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        IMAGE,
        resource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
}
TOOLS = (
    *(test_tool_with_logging, test_tool_with_progress, test_error_handling, test_sampling, test_elicitation),
    *(test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums, test_reconnection, test_custom_header),
    *(test_input_required_result_elicitation, test_input_required_result_sampling),
    *(test_input_required_result_list_roots, test_input_required_result_request_state),
    *(test_input_required_result_multiple_inputs, test_input_required_result_multi_round),
    *(test_input_required_result_capabilities, test_missing_capability),
)
ADDRESS = {"$anchor": "addressDef", "type": "object", "properties": {"street": TEXT, "city": TEXT}}
SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": TEXT,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": TEXT,
        "email": TEXT,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class Fixtures(PlaygroundServer):
    """Our server with more to call."""

    def __init__(self) -> None:
        super().__init__(runs.workspace)
        for name, content in CONTENT.items():
            self.add_tool(
                lambda content=content: content, name=name, description="Returns content.", structured_output=False
            )
        for tool in TOOLS:
            self.add_tool(tool, structured_output=False)
        self.add_tool(test_input_required_result_request_state, name="test_input_required_result_tampered_state")
        self._add_resources()
        self._add_prompts()

        @self.completion()
        async def complete(ref: Any, argument: Any, context: Any) -> Completion:
            return Completion(values=["paris", "park", "party"], total=3, has_more=False)

        async def set_level(ctx: Any, params: Any) -> EmptyResult:
            return EmptyResult()

        answer_method(self, "logging/setLevel", SetLevelRequestParams, set_level)

    async def list_resources(self) -> list[Any]:
        return [*await super().list_resources(), *await MCPServer.list_resources(self)]

    async def list_tools(self) -> list[Any]:
        tools = await super().list_tools()
        schema = tools[0].model_copy(update={"name": "json_schema_2020_12_tool", "input_schema": SCHEMA_2020_12})
        return [*tools, schema.model_copy(update={"output_schema": None})]

    def _add_resources(self) -> None:
        @self.resource("test://static-text", mime_type="text/plain", description="A text.")
        def static_text() -> str:
            return "This is the content of the static text resource."

        @self.resource("test://static-binary", mime_type="image/png", description="A picture.")
        def static_binary() -> bytes:
            import base64

            return base64.b64decode(PNG)

        @self.resource("test://watched-resource", mime_type="text/plain", description="A text that may change.")
        def watched() -> str:
            return "Nothing changed."

        @self.resource("test://template/{id}/data", mime_type="application/json", description="Data by id.")
        def template(id: str) -> str:
            return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    def _add_prompts(self) -> None:
        @self.prompt()
        def test_simple_prompt() -> str:
            """A prompt."""
            return "This is a simple prompt for testing."

        @self.prompt()
        def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
            """A prompt with arguments."""
            return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

        @self.prompt()
        def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:  # noqa: N803  the suite's name
            """A prompt with a resource."""
            held = resource(resourceUri, "Embedded resource content for testing.")
            return [UserMessage(held), UserMessage(text("Please process the embedded resource above."))]

        @self.prompt()
        def test_prompt_with_image() -> list[Any]:
            """A prompt with a picture."""
            return [UserMessage(IMAGE), UserMessage(text("Please analyze the image above."))]

        @self.prompt()
        async def test_input_required_result_prompt(ctx: Context[Any]) -> Any:
            """A prompt that asks first."""
            wanted = {"user_context": question("What context should the prompt use?", context=TEXT)}
            return (
                missing(ctx, wanted) or f"In the context {(ctx.input_responses or {})['user_context'].content['context']}."
            )


def serve(port: int) -> None:
    endpoint = McpEndpoint(Fixtures)

    @asynccontextmanager
    async def lifespan(_: Any) -> Any:
        yield
        await endpoint.close()

    app = Starlette(routes=[Route(PATH, endpoint, methods=["GET", "POST", "DELETE"])], lifespan=lifespan)
    with Workspace(None) as workspace:
        runs.adopt(workspace)
        served = Guard(Identity(app, tokens=lambda: runs.manager().tokens))
        uvicorn.run(served, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
