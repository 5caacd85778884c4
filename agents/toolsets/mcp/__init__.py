"""The tools of MCP servers: connections, limits, questions of servers, and lists of servers."""
