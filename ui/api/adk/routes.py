"""All routes of ADK's contract."""

from __future__ import annotations

import platform
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.api.adk.answering import adk_route, json_answer
from ui.api.adk.artifacts import artifact_routes
from ui.api.adk.running import run_routes
from ui.api.adk.sessions import session_routes


async def _version(_: Request) -> Response:
    return json_answer(
        {
            "version": version("multi-agent-playground"),
            "language": "python",
            "language_version": platform.python_version(),
        }
    )


async def _health(_: Request) -> Response:
    return json_answer({"status": "ok"})


def adk_routes() -> list[Route]:
    """The routes."""
    return [
        adk_route("/version", _version),
        adk_route("/health", _health),
        *run_routes(),
        *artifact_routes(),
        *session_routes(),
    ]
