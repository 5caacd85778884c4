"""Our client as the conformance suite runs it: `python -m …client URL`, with the scenario in the environment.

It lists the server's tools and calls each, answers the server's questions with what they begin with, and signs in where that
is asked for, by the package's OAuth client: the suite stands for the user's browser.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from mcp_types import ElicitResult

from agents.errors import ToolError
from agents.toolsets.mcp.connection import Connection
from agents.toolsets.mcp.connection_params import StreamableHTTPConnectionParams
from agents.toolsets.mcp.question import Question

CONTEXT = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
REDIRECT = "http://127.0.0.1:1/callback"
CLIENT_URL = "https://conformance-test.local/client-metadata.json"
VALUES = {"string": "text", "number": 5, "integer": 3, "boolean": True, "array": [], "object": {}}


class Kept:
    """Tokens and the client's registration, in memory."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


class Browser:
    """Opens the page of the authorization server, which sends it back at once."""

    sent_back = ""

    async def open(self, url: str) -> None:
        async with httpx2.AsyncClient() as client:
            self.sent_back = (await client.get(url)).headers["location"]

    async def callback(self) -> AuthorizationCodeResult:
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.sent_back).query).items()}
        return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))


def signing_in(url: str) -> OAuthClientProvider:
    browser, kept = Browser(), Kept()
    if "client_id" in CONTEXT and "client_secret" in CONTEXT:
        kept.client = OAuthClientInformationFull.model_validate(
            {
                "client_id": CONTEXT["client_id"],
                "client_secret": CONTEXT["client_secret"],
                "redirect_uris": [REDIRECT],
                "token_endpoint_auth_method": "client_secret_basic",
            }
        )
    told = OAuthClientMetadata.model_validate({"client_name": "Agent Playground", "redirect_uris": [REDIRECT]})
    return OAuthClientProvider(url, told, kept, browser.open, browser.callback, client_metadata_url=CLIENT_URL)


def arguments(schema: dict[str, Any], tools: list[Any]) -> dict[str, Any]:
    """Something for each parameter that has to be there; what is called `schema` is another tool's."""
    found: dict[str, Any] = {}
    fields = schema.get("properties") or {}
    for name in schema.get("required") or ():
        kind = fields.get(name, {}).get("type", "string")
        others = [tool.input_schema for tool in tools if tool.input_schema is not schema]
        found[name] = others[0] if name == "schema" and others else VALUES.get(kind, "text")
    return found


async def call(server: Connection, number: int, name: str, args: dict[str, Any]) -> None:
    with suppress(ToolError):
        outcome = await server.call(str(number), name, args, may_ask=True)
        while isinstance(outcome, Question):
            content = outcome.content(outcome.payload)
            outcome = await server.answer(str(number), ElicitResult(action="accept", content=content))


async def main(url: str) -> None:
    is_auth = os.environ.get("MCP_CONFORMANCE_SCENARIO", "").startswith("auth/")
    server = Connection(StreamableHTTPConnectionParams(url=url, timeout=30, auth=signing_in(url) if is_auth else None))
    try:
        tools = await server.tools()
        calls = [(one["name"], one["arguments"]) for one in CONTEXT.get("toolCalls", ())]
        calls = calls or [(tool.name, arguments(tool.input_schema, tools)) for tool in tools]
        for number, (name, args) in enumerate(calls):
            await call(server, number, name, args)
    finally:
        await server.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[-1]))
