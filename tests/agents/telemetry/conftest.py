"""Working files of their own, and connections to MCP servers that are closed after each test."""

from tests.agents.own_files import own_files
from tests.agents.toolsets.mcp.conftest import servers

__all__ = ["own_files", "servers"]
