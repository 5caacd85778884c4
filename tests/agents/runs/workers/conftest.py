"""A PostgreSQL server for the workers' tests."""

from __future__ import annotations

from tests.agents.storage.postgres_server import postgres, postgres_server  # noqa: F401
