"""Implementations of the tool contract in `agents.tool`."""
