"""What was said before: items, and responses and conversations that are stopped or deleted. A conversation is a session."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import EVENT_KIND, Event, RunStarted, SessionNotFoundError, SessionSummary
from agents.runs import Run, RunManager, answering
from ui.api import followed_run
from ui.api.json_body import json_body
from ui.api.openai.conversation import named_in
from ui.api.openai.errors import ParameterError, answering_errors
from ui.api.openai.responses import retrieve
from ui.state import runs
from ui.web.threads import in_thread

MOST_LISTED = 100
_HEADERS = {"Cache-Control": "no-store"}


@answering_errors
async def cancel(request: Request) -> Response:
    """Stops the run of a response, if it is at work."""
    pipeline, session, invocation = named_in(request.path_params["response"])
    manager = await followed_run.manager()
    running = await in_thread(_begun, manager, pipeline, session)
    if running[-1:] == [invocation]:
        await followed_run.stop(manager, Run(pipeline, session, invocation, "", manager.user.id))
    return await retrieve(request)


@answering_errors
async def delete(request: Request) -> Response:
    """Deletes the session of a response that has no other one. The page Sessions can bring it back."""
    asked = request.path_params["response"]
    pipeline, session, invocation = named_in(asked)

    def work() -> None:
        manager = runs.manager()
        begun = _begun(manager, pipeline, session)
        if invocation not in begun:
            raise SessionNotFoundError(f"There is no response {asked[:100]!r} here.")
        if set(begun) != {invocation}:
            said = f"Other responses of conversation {session} build on this one. Delete the conversation."
            raise ParameterError("response_id", said)
        manager.sessions.delete(pipeline, session)

    await in_thread(work)
    return JSONResponse({"id": asked, "object": "response", "deleted": True}, headers=_HEADERS)


@answering_errors
async def input_items(request: Request) -> Response:
    """What the client sent for a response."""
    pipeline, session, invocation = named_in(request.path_params["response"])

    def work() -> list[dict[str, Any]]:
        return [item for event in _said(runs.manager(), pipeline, session, invocation) for item in _inputs(event)]

    return _listed(request, await in_thread(work))


@answering_errors
async def create_conversation(request: Request) -> Response:
    """A new id: the session begins with the conversation's first response, which names the pipeline."""
    body = await json_body(request)
    if body.get("items"):
        raise ParameterError("items", "A conversation begins with its first response. Send the items as its input.")
    return _conversation(f"conv_{uuid.uuid4().hex}", time.time(), body.get("metadata") or {})


@answering_errors
async def retrieve_conversation(request: Request) -> Response:
    """A conversation that has a response."""
    row = await in_thread(_row, request)
    return _conversation(row.id, row.created_at, {})


@answering_errors
async def delete_conversation(request: Request) -> Response:
    """Deletes a session. The page Sessions can bring it back."""
    row = await in_thread(_row, request)
    await in_thread(lambda: runs.manager().sessions.delete(row.app_name, row.id))
    return JSONResponse({"id": row.id, "object": "conversation.deleted", "deleted": True}, headers=_HEADERS)


@answering_errors
async def conversation_items(request: Request) -> Response:
    """What the client and the agents that answer have said."""

    def work() -> list[dict[str, Any]]:
        row, manager = _row(request), runs.manager()
        agents = answering(manager.catalog.get(row.app_name).root_agent).agents
        said = _said(manager, row.app_name, row.id)
        return [item for event in said for item in (_inputs(event) if event.author == "user" else _outputs(event, agents))]

    return _listed(request, await in_thread(work))


def _row(request: Request) -> SessionSummary:
    """The session of a conversation.

    Raises:
        SessionNotFoundError: There is none.
    """
    asked = request.path_params["conversation"]
    if (found := runs.manager().sessions.find(None, asked)) is None:
        raise SessionNotFoundError(f"There is no conversation {asked[:100]!r} here, or it has no response yet.")
    return found


def _conversation(session: str, at: float, metadata: Any) -> Response:
    return JSONResponse(
        {"id": session, "object": "conversation", "created_at": int(at), "metadata": metadata}, headers=_HEADERS
    )


def _begun(manager: RunManager, pipeline: str, session: str) -> list[str]:
    """The runs of a session, in order."""
    found = (entry.of(RunStarted) for entry in manager.sessions.log(pipeline, session))
    return [record.invocation_id for record in found if record is not None]


def _said(manager: RunManager, pipeline: str, session: str, invocation: str | None = None) -> list[Event]:
    events = (entry.event() for entry in manager.sessions.log(pipeline, session) if entry.kind == EVENT_KIND)
    return [event for event in events if invocation in {None, event.invocation_id}]


def _inputs(event: Event) -> Iterator[dict[str, Any]]:
    if event.author == "user" and event.text:
        yield _message(event, "user", {"type": "input_text", "text": event.text})
    for number, result in enumerate(event.get_function_responses() if event.author == "user" else ()):
        output = json.dumps((result.response or {}).get("result", result.response), ensure_ascii=False, default=str)
        head = {"id": f"fco_{event.id}_{number}", "type": "function_call_output", "status": "completed"}
        yield {**head, "call_id": result.id or "", "output": output}


def _outputs(event: Event, agents: Sequence[str] | frozenset[str]) -> Iterator[dict[str, Any]]:
    if event.author in agents and event.text:
        yield _message(event, "assistant", {"type": "output_text", "text": event.text, "annotations": [], "logprobs": []})


def _message(event: Event, role: str, part: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"msg_{event.id}", "type": "message", "role": role, "status": "completed", "content": [part]}


def _listed(request: Request, items: list[dict[str, Any]]) -> Response:
    """A page of items, as the query asks: `order`, `after`, `limit`."""
    query = request.query_params
    try:
        limit = min(max(int(query.get("limit", 20)), 1), MOST_LISTED)
    except ValueError:
        raise ParameterError("limit", f"limit is a number from 1 to {MOST_LISTED}.") from None
    if query.get("order", "desc") == "desc":
        items.reverse()
    after = next((number for number, item in enumerate(items, 1) if item["id"] == query.get("after")), 0)
    page = items[after : after + limit]
    ids = [item["id"] for item in page] or [""]
    about = {"first_id": ids[0], "last_id": ids[-1], "has_more": len(items) > after + limit}
    return JSONResponse({"object": "list", "data": page, **about}, headers=_HEADERS)
