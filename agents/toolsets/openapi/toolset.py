"""The operations of an API as tools. Names and arguments are ADK's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from agents.runtime.context import ReadonlyContext
from agents.storage.given_file import decoded, read_given
from agents.tool import BaseTool, BaseToolset, ToolPredicate
from agents.toolsets.given_data import MOST_CHARACTERS, read_mapping
from agents.toolsets.openapi.credentials import AuthCredential, key_in_request
from agents.toolsets.openapi.rest_api import RestApiTool
from agents.toolsets.openapi.spec import operations_in


class OpenAPIToolset(BaseToolset):
    """Tools for the operations of an API, from its OpenAPI 3 description.

    Give one of `spec_dict`, `spec_str` and `spec_file`. A tool is called after the `operationId`, in snake_case. Operations
    that may change something are not called again in a fork unasked.

    Args:
        spec_dict: The description.
        spec_str: The description as a text in JSON or YAML.
        spec_str_type: Has no effect: both are read.
        spec_file: A file with the description.
        auth_scheme: Where the key stands, as OpenAPI has it; None for what the description says.
        auth_credential: The key. It is sent to the servers that the description names.
        tool_filter: See `BaseToolset`.
        tool_name_prefix: See `BaseToolset`.
        preserve_property_names: Whether arguments are called as the server calls them, not in snake_case.
        allow_private_network_access: Whether servers may have addresses that are not public, such as this machine's.

    Raises:
        ToolError: The description cannot be read.
    """

    def __init__(
        self,
        *,
        spec_dict: Mapping[str, Any] | None = None,
        spec_str: str | None = None,
        spec_str_type: Literal["json", "yaml"] = "json",
        spec_file: Path | str | None = None,
        auth_scheme: Any = None,
        auth_credential: AuthCredential | None = None,
        tool_filter: ToolPredicate | list[str] | None = None,
        tool_name_prefix: str | None = None,
        preserve_property_names: bool = False,
        allow_private_network_access: bool = False,
    ) -> None:
        super().__init__(tool_filter=tool_filter, tool_name_prefix=tool_name_prefix)
        if spec_file is not None:
            spec_str = decoded(read_given(Path(spec_file), most=MOST_CHARACTERS))
        spec = spec_dict or read_mapping(spec_str or "", "The API's description")
        self._tools = [
            RestApiTool(
                operation,
                key_in_request(auth_scheme or operation.security, auth_credential),
                allow_private=allow_private_network_access,
            )
            for operation in operations_in(spec, keep_names=preserve_property_names)
        ]

    @property
    def known_tools(self) -> Sequence[BaseTool]:
        """See `BaseToolset`."""
        return [tool for tool in self._tools if self._is_tool_selected(tool, None)]

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> Sequence[BaseTool]:
        """See `BaseToolset`."""
        return [tool for tool in self._tools if self._is_tool_selected(tool, readonly_context)]

    def get_tool(self, tool_name: str) -> BaseTool | None:
        """The tool of that name, without the prefix."""
        return next((tool for tool in self._tools if tool.name == tool_name), None)
