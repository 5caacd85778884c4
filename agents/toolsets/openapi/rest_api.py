"""An operation of an API as a tool: the request, and what is told of the answer."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

import httpx2
from google.genai import types

from agents.errors import ToolError
from agents.runtime.context import ToolContext
from agents.tool import BaseTool
from agents.toolsets.openapi.addresses import public_address
from agents.toolsets.openapi.credentials import Key
from agents.toolsets.openapi.spec import Operation

SECONDS = 30.0
"""The longest that a request takes."""
MOST_BYTES = 200_000
"""Of an answer; the rest is not read."""

_ERROR = 400
_FORBIDDEN = frozenset(
    {"host", "authorization", "cookie", "content-type", "content-length", "transfer-encoding", "connection", "accept"}
)
"""Headers that a description's parameters do not set (OpenAPI 3.1, Parameter Object), and those that frame a request."""
_BRACES = re.compile(r"\{([^{}]{1,200})\}")


class RestApiTool(BaseTool):
    """Asks a server for one operation.

    Args:
        operation: The operation.
        key: The key that is sent along.
        allow_private: Whether the server may have an address that is not public.
    """

    def __init__(self, operation: Operation, key: Key | None, *, allow_private: bool) -> None:
        description = operation.description or f"{operation.method.upper()} {operation.url}"
        is_reading = operation.method in {"get", "head", "options"}
        super().__init__(name=operation.name, description=description, read_only_hint=is_reading)
        self._operation = operation
        self._key = key
        self._allow_private = allow_private

    def _get_declaration(self) -> types.FunctionDeclaration | None:
        parameters = self._operation.parameters
        schema = {
            "type": "object",
            "properties": {one.name: one.schema for one in parameters},
            "required": [one.name for one in parameters if one.required and "default" not in one.schema],
        }
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """The answer's JSON, or its text; {"error": …} if the server cannot be asked or refuses."""
        try:
            request = self._request(args)
            async with asyncio.timeout(SECONDS):
                return await self._answer(request)
        except ToolError as error:
            return {"error": str(error)}
        except TimeoutError:
            return {"error": f"The server did not answer within {SECONDS:g} s."}
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, ValueError) as error:
            return {"error": self._without_key(f"The server cannot be asked: {type(error).__name__}: {error}"[:500])}

    def _request(self, args: Mapping[str, Any]) -> httpx2.Request:
        places: dict[str, dict[str, Any]] = {place: {} for place in ("path", "query", "header", "cookie", "body")}
        for one in self._operation.parameters:
            value = args.get(one.name, one.schema.get("default") if one.required else None)
            if value is not None and one.place in places:
                places[one.place][one.original] = value
            elif one.required:
                raise ToolError(f"{self.name} needs the argument {one.name!r}.")
        headers = {name: _plain(value) for name, value in places["header"].items() if name.lower() not in _FORBIDDEN}
        headers["Accept-Encoding"] = "identity"  # a compressed answer can be huge
        query = {name: _query(value) for name, value in places["query"].items()}
        cookies = {name: quote(_plain(value)) for name, value in places["cookie"].items()}
        if self._key is not None:
            sent = f"{self._key.kind} {self._key.secret}".lstrip()
            {"query": query, "cookie": cookies}.get(self._key.place, headers)[self._key.name] = sent
        if cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return httpx2.Request(
            self._operation.method.upper(),
            self._url(places["path"]),
            params=query or None,
            **self._body(places["body"], headers),
        )

    def _url(self, given: Mapping[str, Any]) -> str:
        url = _BRACES.sub(lambda found: _segment(found[1], given), self._operation.url)
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ToolError("The API's description names no server with http:// or https://.")
        return url

    def _body(self, fields: Mapping[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        kind = self._operation.media_type
        if not kind or not fields:
            return {"headers": headers}
        value: Any = fields.get("", fields)
        if kind == "multipart/form-data":
            return {"headers": headers, "files": {name: (None, _plain(one)) for name, one in fields.items()}}
        headers["Content-Type"] = kind
        if kind == "application/x-www-form-urlencoded":
            return {"headers": headers, "data": {name: _plain(one) for name, one in fields.items()}}
        content = value if isinstance(value, str) and "json" not in kind else json.dumps(value, ensure_ascii=False)
        return {"headers": headers, "content": content.encode()}

    async def _answer(self, request: httpx2.Request) -> Any:
        if not self._allow_private:
            address = await public_address(str(request.url))
            request.extensions = {**request.extensions, "sni_hostname": request.url.host}
            request.url = request.url.copy_with(host=address)  # the header Host is set already
        async with httpx2.AsyncClient(verify=_certificates(), timeout=SECONDS, follow_redirects=False) as client:
            response = await client.send(request, stream=True)
            try:
                return self._told(response, await _beginning(response))
            finally:
                await response.aclose()

    def _told(self, response: httpx2.Response, content: bytes) -> Any:
        text = self._without_key(content[:MOST_BYTES].decode("utf-8", "replace"))
        if response.status_code >= _ERROR:
            return {"error": f"The server answered with status {response.status_code}: {text[:2_000]}"}
        if len(content) > MOST_BYTES:
            return {"text": text, "cut": f"The answer is longer than {MOST_BYTES:,} bytes; this is its beginning."}
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return {"text": text, "status": response.status_code}

    def _without_key(self, text: str) -> str:
        secret = "" if self._key is None else self._key.secret
        for shown in filter(None, (secret, quote(secret, safe=""), quote_plus(secret))):
            text = text.replace(shown, "[key]")
        return text


async def _beginning(response: httpx2.Response) -> bytes:
    content = b""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ToolError("The server sends a compressed answer, though it was asked not to.")
    async for piece in response.aiter_raw():
        content += piece
        if len(content) > MOST_BYTES:
            break
    return content


def _segment(name: str, given: Mapping[str, Any]) -> str:
    if name not in given:
        raise ToolError(f"The address needs a value for {name!r}.")
    text = _plain(given[name])
    if {".", ".."} & set(text.replace("\\", "/").split("/")):
        raise ToolError(f"{name} must not have `.` or `..` between slashes.")
    return quote(text, safe="")


def _query(value: Any) -> str | list[str]:
    return [_plain(one) for one in value] if isinstance(value, list) else _plain(value)  # pyright: ignore[reportUnknownVariableType]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@cache
def _certificates() -> ssl.SSLContext:
    """TLS trust store, loaded once: loading takes longer than a request."""
    return httpx2.create_ssl_context()
