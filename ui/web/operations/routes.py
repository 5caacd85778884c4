"""`/health`, `/ready` and `/metrics`: what load balancers and monitors ask."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ui.access.identity import current
from ui.web.operations import readiness

_TOLD = {"server": "ending", "database": "cannot be used", "disk": "nearly full"}
"""What others than the owner are told: the reasons name files."""
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


def operation_routes() -> list[Route]:
    """The routes."""
    return [Route("/health", _health), Route("/ready", _ready), Route("/metrics", _metrics)]


async def _health(_: Request) -> Response:
    """It answers, so it is alive."""
    return JSONResponse({"status": "ok"})


async def _ready(_: Request) -> Response:
    """200, or 503 with the reasons."""
    found = await to_thread.run_sync(readiness.problems)
    if not current().is_owner:
        found = {name: _TOLD[name] for name in found}
    return JSONResponse(
        {"status": "not ready" if found else "ready", "problems": found},
        status_code=503 if found else 200,
        headers={"Cache-Control": "no-store"},
    )


async def _metrics(_: Request) -> Response:
    """For the owner, by address, cookie or one of their API tokens: how much is used is nobody else's."""
    if not current().is_owner:
        return PlainTextResponse("Metrics are the owner's. Send one of the owner's API tokens.\n", status_code=403)
    from ui.web.operations.exposition import text  # brings Prometheus' library, half a second

    return Response(await to_thread.run_sync(text), media_type=_TEXT)
