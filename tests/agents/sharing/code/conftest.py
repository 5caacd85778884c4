"""A folder of packages of a user."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of packages; what is imported from it is forgotten."""
    before = set(sys.modules)
    path = list(sys.path)
    yield tmp_path / "agents"
    for name in set(sys.modules) - before:
        if name.partition(".")[0].startswith(("code_", "_playground_")):
            del sys.modules[name]
    sys.path[:] = path
