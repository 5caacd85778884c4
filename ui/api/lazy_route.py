"""Routes whose modules are imported at their first request: they bring the runtime, and the app has to be ready at once."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.web.threads import in_thread


def lazy_route(path: str, endpoint: str, *, methods: Sequence[str] = ("GET",)) -> Route:
    """A route.

    Args:
        path: Its path.
        endpoint: The module and its function, e.g. "ui.api.openai.chat:chat_completions".
        methods: What it takes.
    """
    module, _, function = endpoint.partition(":")

    async def answer(request: Request) -> Response:
        return await getattr(await in_thread(import_module, module), function)(request)

    return Route(path, answer, methods=list(methods))
