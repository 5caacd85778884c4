"""One connection to a server: its tools, calls, and the questions that it asks in the middle of a call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar, cast

from mcp import Client, MCPError
from mcp.client.session import ClientRequestContext
from mcp_types import (
    CONNECTION_CLOSED,
    CallToolResult,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    Implementation,
    Tool,
)

from agents.errors import ToolError
from agents.models.connections import redact
from agents.toolsets.mcp.connection_params import (
    CALL_SECONDS,
    ConnectionParams,
    StdioConnectionParams,
    label_of,
    secrets_of,
)
from agents.toolsets.mcp.question import Question
from agents.toolsets.mcp.transports import Ending, streams_to

MOST_TOOLS = 200
"""Of a server; the rest are not offered."""
MOST_PAGES = 20
"""Of a list of tools."""
QUESTION_SECONDS = 900.0
"""How long a call waits for the user's answer to the server's question; then the server is told that the call is off."""
MOST_WORDS = 600
"""Characters of a server's own words in an error."""

T = TypeVar("T")
_here: ContextVar[_Call | None] = ContextVar("mcp_call", default=None)


class _Questions(asyncio.Queue["tuple[Question, asyncio.Future[ElicitResult]]"]):
    """Questions of a server, each with the future of its answer."""


@dataclass
class _Call:
    """A call under way.

    Attributes:
        may_ask: Whether the run can wait for the user.
        task: The request.
        questions: What the server asks in the meantime.
        question: The question that the user was asked.
        answer: Its answer.
    """

    may_ask: bool
    task: asyncio.Task[CallToolResult] | None = None
    questions: _Questions = field(default_factory=_Questions)
    question: Question | None = None
    answer: asyncio.Future[ElicitResult] | None = None


class Connection:
    """An open connection. Made and used in one event loop; it opens itself, and ends with the server or by `close`.

    Args:
        params: How the server is reached.
        label: What texts call it; "" for what its parameters tell.
    """

    def __init__(self, params: ConnectionParams, label: str = "") -> None:
        self.label = label or label_of(params)
        self._params = params
        self._ending = Ending()
        self._client: Client | None = None
        self._calls: dict[str, _Call] = {}
        self._ready = asyncio.Event()
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._serve(), name=f"MCP server {self.label}")

    @property
    def has_ended(self) -> bool:
        """Whether a new one is needed."""
        return self._end.is_set() or self._task.done()

    @property
    def is_asking(self) -> bool:
        """Whether a call waits for the user's answer."""
        return any(call.question is not None for call in self._calls.values())

    async def close(self) -> None:
        """Closes it; a program that was started ends."""
        self._end.set()
        await asyncio.wait([self._task])

    async def _serve(self) -> None:
        client = Client(
            cast("Any", streams_to(self._params, self._ending)),
            read_timeout_seconds=self._params.timeout,
            elicitation_callback=self._asked,
            client_info=Implementation(name="multi-agent-playground", version=version("multi-agent-playground")),
        )
        try:
            async with client:
                self._client = client
                self._ready.set()
                await self._end.wait()
        except Exception as error:  # noqa: BLE001  whatever ends it is told by the next use
            self._ending.reason = self._ending.reason or self._told(error)
        finally:
            self._end.set()
            self._ready.set()

    async def tools(self) -> list[Tool]:
        """The tools that the server has now.

        Raises:
            ToolError: It cannot be reached, or does not tell them in time.
        """
        return await self._try(self._list)

    async def _list(self, client: Client) -> list[Tool]:
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if cursor is None or len(found) >= MOST_TOOLS:
                break
        return found[:MOST_TOOLS]

    async def call(self, call_id: str, name: str, args: dict[str, Any], *, may_ask: bool) -> CallToolResult | Question:
        """Calls a tool.

        Args:
            call_id: Names the call for `answer`.
            name: The tool.
            args: Its arguments.
            may_ask: Whether a question of the server may be put to the user; if not, the server is told so.

        Returns:
            Its result, or a question; the call waits for its answer then.

        Raises:
            ToolError: The server ended, did not answer in time, or refused.
        """

        async def send(client: Client) -> CallToolResult | Question:
            call = self._calls[call_id] = _Call(may_ask)
            call.task = asyncio.create_task(self._request(call, client, name, args))
            return await self._outcome(call_id, call)

        return await self._try(send)

    async def answer(self, call_id: str, said: ElicitResult) -> CallToolResult | Question:
        """Answers the question that a call waits for; as `call`.

        Raises:
            ToolError: As `question_of` and `call`.
        """
        self.question_of(call_id)
        call = self._calls[call_id]
        assert call.answer is not None
        call.answer.set_result(said)
        call.question = call.answer = None
        return await self._try(lambda _: self._outcome(call_id, call))

    def question_of(self, call_id: str) -> Question:
        """The question that a call waits with.

        Raises:
            ToolError: It is over, e.g. because the playground was started again meanwhile.
        """
        if (call := self._calls.get(call_id)) is None or call.question is None:
            raise ToolError(f"The MCP server {self.label} no longer waits for this answer. Call the tool again.")
        return call.question

    async def _request(self, call: _Call, client: Client, name: str, args: dict[str, Any]) -> CallToolResult:
        _here.set(call)
        return await client.call_tool(name, args, read_timeout_seconds=QUESTION_SECONDS + self._call_seconds)

    async def _outcome(self, call_id: str, call: _Call) -> CallToolResult | Question:
        """The result of a call or the next question in it, whichever comes first."""
        assert call.task is not None
        asked = asyncio.ensure_future(call.questions.get())
        try:
            await asyncio.wait({call.task, asked}, timeout=self._call_seconds, return_when=asyncio.FIRST_COMPLETED)
            if asked.done() and not call.task.done():
                call.question, call.answer = asked.result()
                asyncio.get_running_loop().call_later(QUESTION_SECONDS, self._expire, call_id, call, call.answer)
                return call.question
            if not call.task.done():
                raise ToolError(f"The MCP server {self.label} did not answer within {self._call_seconds:g} s.")
            return call.task.result()
        finally:
            asked.cancel()
            if call.answer is None:
                call.task.cancel()
                self._calls.pop(call_id, None)

    def _expire(self, call_id: str, call: _Call, answer: asyncio.Future[ElicitResult]) -> None:
        if not answer.done() and call.task is not None:
            call.task.cancel()
            self._calls.pop(call_id, None)

    async def _asked(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        """Puts a question of the server to the call that it belongs to; declines it where nobody can tell which."""
        call = _here.get()
        if call is None and len(self._calls) == 1:
            call = next(iter(self._calls.values()))
        if call is None or not call.may_ask:
            return ElicitResult(action="decline")
        answer: asyncio.Future[ElicitResult] = asyncio.get_running_loop().create_future()
        url = params.url if isinstance(params, ElicitRequestURLParams) else ""
        schema = {} if isinstance(params, ElicitRequestURLParams) else params.requested_schema
        question = Question(self.label, params.message, schema, url)
        if not question.is_plain:
            return ElicitResult(action="decline")
        call.questions.put_nowait((question, answer))
        return await answer

    @property
    def _call_seconds(self) -> float:
        return CALL_SECONDS if isinstance(self._params, StdioConnectionParams) else self._params.sse_read_timeout

    async def _try(self, do: Callable[[Client], Awaitable[T]]) -> T:
        """Does something with the open client; whatever goes wrong is a `ToolError`."""
        try:
            async with asyncio.timeout(None if self._ready.is_set() else self._params.timeout):
                await self._ready.wait()
        except TimeoutError:
            self._ending.reason = f"it did not begin within {self._params.timeout:g} s"
            self._task.cancel()
            raise self._error() from None
        if self._client is None or self._end.is_set():
            raise self._error()
        try:
            return await do(self._client)
        except ToolError:
            raise
        except Exception as error:  # noqa: BLE001  a server may answer anything
            if isinstance(error, MCPError) and not _is_gone(error):
                raise ToolError(f"The MCP server {self.label} refused: {self._told(error)}") from None
            self._end.set()
            if not isinstance(error, MCPError):
                self._ending.reason = self._ending.reason or self._told(error)
            raise self._error() from None

    def _error(self) -> ToolError:
        reason = self._ending.reason or "it ended"
        words = self._own(" / ".join(self._ending.last_words))
        return ToolError(f"The MCP server {self.label} cannot be used: {reason}.{f' Its last words: {words}' * bool(words)}")

    def _told(self, error: BaseException) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
        if isinstance(error, FileNotFoundError):
            return "there is no such program, or no such folder to start it in"
        return self._own(str(error) if isinstance(error, MCPError) else f"{type(error).__name__}: {error}")

    def _own(self, text: str) -> str:
        """A server's words: short, on one line, and without keys."""
        return " ".join(redact(text, *secrets_of(self._params)).split())[-MOST_WORDS:].rstrip(".")


def _is_gone(error: MCPError) -> bool:
    """Whether the connection is to be opened anew: it is closed, or a server over HTTP has forgotten it."""
    return error.code == CONNECTION_CLOSED or error.message == "Session terminated"
