"""The playground as an MCP server: sessions, playbooks, runs and cases for other programs."""
