"""`playground mcp`: the playground as an MCP server on standard input and output, for a program that starts it."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from agents import PersonError
from ui.cli import command_line
from ui.cli.command_line import Command

_EXAMPLES = """\
in the settings of a desktop client:
  {"mcpServers": {"playground": {"command": "playground", "args": ["mcp"]}}}

A client that speaks HTTP uses the app's address with /mcp, and beyond this machine an API token of Settings.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    pass


def _mcp(arguments: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        raise PersonError("MCP needs the package `mcp`, which is not installed. Install it with: uv sync --extra mcp")
    from ui.api.mcp.server import PlaygroundServer

    with command_line.workspace(arguments) as workspace:
        PlaygroundServer(lambda: workspace).run("stdio")
    return 0


MCP = Command(
    name="mcp",
    summary="serve other programs on standard input and output",
    description="Serves sessions, playbooks, runs and cases by the Model Context Protocol, until the input ends.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_mcp,
)
