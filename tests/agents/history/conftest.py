"""Working files of their own."""

from tests.agents.own_files import own_files

__all__ = ["own_files"]
