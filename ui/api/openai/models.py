"""`/v1/models`: each pipeline is a model."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import PipelineNotFoundError
from agents.runs import RunManager
from ui.api import followed_run
from ui.api.openai.errors import answering_errors
from ui.web.threads import in_thread

_HEADERS = {"Cache-Control": "no-store"}


@answering_errors
async def listed(_request: Request) -> Response:
    """All models."""
    manager = await followed_run.manager()
    return JSONResponse({"object": "list", "data": await in_thread(_models, manager)}, headers=_HEADERS)


@answering_errors
async def one(request: Request) -> Response:
    """One of them, also with the model that its agents are to ask."""
    manager, asked = await followed_run.manager(), request.path_params["model"]
    found = next((model for model in await in_thread(_models, manager) if model["id"] == asked.partition("/")[0]), None)
    if found is None:
        raise PipelineNotFoundError(f"There is no model {asked[:100]!r}. /v1/models lists those that there are.")
    return JSONResponse({**found, "id": asked}, headers=_HEADERS)


def _models(manager: RunManager) -> list[dict[str, Any]]:
    return [{"id": name, "object": "model", "created": 0, "owned_by": "playground"} for name in manager.catalog.names()]
