"""All routes of ADK's contract."""

from __future__ import annotations

import platform
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.api.lazy_route import lazy_route

_SESSIONS = "/apps/{app_name}/users/{user_id}/sessions"
_ONE = f"{_SESSIONS}/{{session_id}}"
_FILES = f"{_ONE}/artifacts"
_FILE = f"{_FILES}/{{name:path}}"
_ROUTES = (
    ("POST", "/run", "running:run"),
    ("POST", "/run_sse", "running:run_sse"),
    ("GET", _FILES, "artifacts:list_artifact_names"),
    ("POST", _FILES, "artifacts:save_artifact"),
    ("GET", f"{_FILE}/versions/{{version}}/metadata", "artifacts:version_metadata"),
    ("GET", f"{_FILE}/versions/metadata", "artifacts:all_metadata"),
    ("GET", f"{_FILE}/versions/{{version}}", "artifacts:load_artifact"),
    ("GET", f"{_FILE}/versions", "artifacts:list_versions"),
    ("GET", _FILE, "artifacts:load_artifact"),
    ("DELETE", _FILE, "artifacts:delete_artifact"),
    ("GET", "/list-apps", "sessions:list_apps"),
    ("GET", "/apps/{app_name}/app-info", "sessions:app_info"),
    ("GET", _SESSIONS, "sessions:list_sessions"),
    ("POST", _SESSIONS, "sessions:create_session"),
    ("GET", _ONE, "sessions:get_session"),
    ("POST", _ONE, "sessions:create_session_with_id"),
    ("DELETE", _ONE, "sessions:delete_session"),
    ("PATCH", _ONE, "sessions:update_session"),
)
"""Method, path and endpoint; of two that fit, the first one is meant."""


def adk_routes() -> list[Route]:
    """The routes."""
    late = [lazy_route(path, f"ui.api.adk.{endpoint}", methods=[method]) for method, path, endpoint in _ROUTES]
    return [Route("/version", _version), *late]


async def _version(_: Request) -> Response:
    return JSONResponse(
        {
            "version": version("multi-agent-playground"),
            "language": "python",
            "language_version": platform.python_version(),
        }
    )
