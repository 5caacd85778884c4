"""Fixtures for every test: the asyncio backend, no network beyond this machine."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend():
    return "asyncio"
