"""What is not there is 404: Streamlit answers every path that it does not know with its page."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route

from ui.access.api_access import is_api_path, refusal
from ui.dependencies.streamlit_private import ROUTES, STATIC

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class UnknownRoute(Route):
    """The last of the app's own routes: it takes what neither they nor Streamlit serve.

    Args:
        known: The app's other routes.
    """

    def __init__(self, known: Sequence[BaseRoute]) -> None:
        super().__init__("/{path:path}", self._answer, methods=_METHODS, include_in_schema=False)
        self._known = known

    def matches(self, scope: MutableMapping[str, Any]) -> tuple[Match, MutableMapping[str, Any]]:
        """Leaves to Streamlit what is its own, and URLs that end with a slash, which it redirects to those without."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.endswith("/") or path.startswith((*ROUTES, "//")) or path[1:] in _files():
            return Match.NONE, {}
        return super().matches(scope)

    async def _answer(self, request: Request) -> Response:
        path = request.url.path
        offered = [
            route for route in self._known if isinstance(route, Route) and route.matches(request.scope)[0] != Match.NONE
        ]
        if offered:
            methods = sorted({method for route in offered for method in route.methods or ()})
            said, status = f"{path} takes {', '.join(methods)}, not {request.method}.", 405
        else:
            methods, said, status = [], f"There is nothing at {path[:200]}. What there is stands in /llms.txt.", 404
        answer = refusal(status, said, "not_found") if is_api_path(path) else PlainTextResponse(f"{said}\n", status)
        if methods:
            answer.headers["Allow"] = ", ".join(methods)
        return answer


@cache
def _files() -> frozenset[str]:
    """Streamlit's own files, by their paths."""
    return frozenset(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
