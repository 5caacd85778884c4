"""The tools of an MCP server. Names and arguments are ADK's."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agents.errors import PersonError, ToolError
from agents.runtime.context import ReadonlyContext
from agents.scope import current_scope
from agents.tool import BaseTool, BaseToolset, ToolPredicate
from agents.toolsets.mcp.connection_params import (
    ConnectionParams,
    StdioServerParameters,
    label_of,
    read_params,
    with_headers,
)
from agents.toolsets.mcp.servers import McpServers
from agents.toolsets.mcp.tool import McpTool, is_fit, name_for_model

if TYPE_CHECKING:
    from mcp_types import Tool


class McpToolset(BaseToolset):
    """The tools of an MCP server, as it has them before each model call. Needs the extra `mcp`.

    The connection is opened when its tools are first needed, and closed with the run manager; toolsets with the same
    parameters share it. What the server says, in descriptions and results, is marked as others' words for the model.

    Args:
        connection_params: How the server is reached; or the name of a server in Settings or in the file of `--mcp`.
        tool_filter: See `BaseToolset`; names are the server's.
        tool_name_prefix: See `BaseToolset`.
        require_confirmation: Whether the user must approve each call; or a function that decides it from the arguments.
            None asks where the server says that a tool is destructive.
        header_provider: A function, sync or async, of the `ReadonlyContext`: more headers for a server over HTTP.
        errlog: Has no effect: the last lines of a program's error output stand in the error if it ends.

    Raises:
        ToolError: The package `mcp` is not installed.
    """

    def __init__(
        self,
        *,
        connection_params: ConnectionParams | StdioServerParameters | str | Any,
        tool_filter: ToolPredicate | list[str] | None = None,
        tool_name_prefix: str | None = None,
        require_confirmation: bool | Callable[..., Any] | None = None,
        header_provider: Callable[[ReadonlyContext], Any] | None = None,
        errlog: Any = None,
    ) -> None:
        super().__init__(tool_filter=tool_filter, tool_name_prefix=tool_name_prefix)
        if find_spec("mcp") is None:
            raise ToolError(
                "McpToolset needs the package `mcp`, which is not installed. Install it with: uv sync --extra mcp, or "
                "pip install 'multi-agent-playground[mcp]'."
            )
        self._servers = current_scope().part(McpServers)  # of the workspace that loads the package; pages run outside of it
        self._given = connection_params if isinstance(connection_params, str) else read_params(connection_params)
        self._require = require_confirmation
        self._header_provider = header_provider

    @property
    def name(self) -> str:
        """What the graph shows in place of its tools while they are not known."""
        return f"MCP {self._given if isinstance(self._given, str) else label_of(self._given)}"

    @property
    def shown_names(self) -> list[str]:
        """See `BaseToolset`. It asks no server: a page that lists pipelines starts none."""
        try:
            params = self._params
        except (PersonError, ToolError):
            return [self.name]
        known = self._offered(params, self._servers.listed(params), None)
        return [self.prefixed(tool).name for tool in known] or [self.name]

    @property
    def known_tools(self) -> Sequence[BaseTool]:
        """The tools that the server has, or had when it was asked last; () if it does not answer within a few seconds."""
        try:
            params = self._params
        except (PersonError, ToolError):
            return ()
        return self._offered(params, self._servers.known_tools(params), None)

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> Sequence[BaseTool]:
        """The tools that the server has now.

        Raises:
            ToolError: The server cannot be used.
        """
        params = self._params
        if self._header_provider is not None and readonly_context is not None:
            headers = self._header_provider(readonly_context)
            params = with_headers(params, await headers if inspect.isawaitable(headers) else headers)
        return self._offered(params, await self._servers.tools(params), readonly_context)

    async def close(self) -> None:
        """Does nothing: other toolsets may use the connection, which the run manager closes."""

    @property
    def _params(self) -> ConnectionParams:
        return self._servers.params_of(self._given) if isinstance(self._given, str) else self._given

    def _offered(
        self, params: ConnectionParams, tools: Sequence[Tool], readonly_context: ReadonlyContext | None
    ) -> list[McpTool]:
        label = self._servers.name_of(params) or label_of(params)
        made: dict[str, McpTool] = {}
        for tool in filter(is_fit, tools):
            made.setdefault(name_for_model(tool.name), McpTool(tool, params, label, self._servers, self._require))
        return [tool for tool in made.values() if self._is_tool_selected(tool, readonly_context)]

    def _is_tool_selected(self, tool: BaseTool, readonly_context: ReadonlyContext | None) -> bool:
        wanted = self.tool_filter
        if isinstance(wanted, list) and isinstance(tool, McpTool):
            return tool.mcp_name in wanted or tool.name in wanted
        return super()._is_tool_selected(tool, readonly_context)
