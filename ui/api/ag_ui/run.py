"""`/ag-ui/{pipeline}`: runs an agent and streams what happens as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from agents import DatabaseError, PlaygroundError
from agents.models import redact
from agents.runs import Run, RunManager
from ui.access.api_access import refusal
from ui.api import followed_run
from ui.api.ag_ui.asked import RunAgentInput, begin
from ui.api.ag_ui.told import Telling
from ui.api.event_stream import EventStream, frame
from ui.api.json_body import json_body
from ui.api.status import retry_headers, status_of
from ui.web.threads import in_thread


async def run_agent(request: Request) -> Response:
    """Starts or resumes a run; what cannot begin is refused before anything is streamed."""
    try:
        asked = RunAgentInput.model_validate(await json_body(request))
        manager, pipeline = await followed_run.manager(), request.path_params["pipeline"]
        run = await begin(manager, pipeline, asked)
        state = await in_thread(manager.sessions.state, pipeline, asked.thread_id)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return refusal(422, f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", "invalid_input")
    except PlaygroundError as error:
        return refusal(status_of(error), redact(str(error)), error.code.lower(), more=retry_headers(error))
    return EventStream(_frames(manager, run, asked, state))


async def _frames(
    manager: RunManager, run: Run, asked: RunAgentInput, state: Mapping[str, Any]
) -> AsyncGenerator[str, None]:
    telling = Telling(asked.thread_id, asked.run_id, frozenset(tool.name for tool in asked.tools or ()))
    for told in telling.begin(state):
        yield frame(told)
    try:
        async with aclosing(followed_run.follow(manager, run)) as news:
            async for item in news:
                for told in telling.take(item):
                    yield frame(told)
    except (PlaygroundError, DatabaseError) as error:  # e.g. the session was deleted
        yield frame({"type": "RUN_ERROR", "message": redact(str(error)), "code": error.code.lower()})
