"""Apps and sessions of ADK's contract."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from agents import BaseAgent, LlmAgent, MessageError, PlaygroundError, SessionFilter, SessionNotFoundError
from agents.runs import RunManager
from agents.sharing import import_session, read_adk_session
from ui.api.adk.answering import adk_endpoint, json_answer, manager_of, read
from ui.api.adk.wire import CreateSessionRequest, UpdateSessionRequest, session_json
from ui.api.json_body import json_body
from ui.web.threads import in_thread

MOST_LISTED = 1000
"""Most sessions that are listed, last changed first."""


@adk_endpoint
async def list_apps(request: Request) -> Response:
    """Names of pipelines; with `detailed`, of those that can be loaded, what they are."""
    manager = await manager_of("user")
    names = sorted(await in_thread(manager.catalog.names))
    if request.query_params.get("detailed", "").lower() not in {"true", "1"}:
        return json_answer(names)
    return json_answer({"apps": [found for name in names if (found := await in_thread(_detailed, manager, name))]})


def _detailed(manager: RunManager, name: str) -> dict[str, Any] | None:
    try:
        root = manager.catalog.get(name).root_agent
    except PlaygroundError:  # a package that cannot be loaded is listed by name alone
        return None
    return {**_about(name, root), "isComputerUse": False}


def _about(name: str, root: BaseAgent) -> dict[str, Any]:
    return {"name": name, "rootAgentName": root.name, "description": root.description, "language": "python"}


@adk_endpoint
async def app_info(request: Request) -> Response:
    """The agents of a pipeline."""
    manager, name = await manager_of("user"), request.path_params["app_name"]
    root = (await in_thread(manager.catalog.get, name)).root_agent
    return json_answer({**_about(name, root), "agents": {agent.name: _agent(agent) for agent in _below(root)}})


def _below(root: BaseAgent) -> list[BaseAgent]:
    return [root, *(agent for child in root.sub_agents for agent in _below(child))]


def _agent(agent: BaseAgent) -> dict[str, Any]:
    instruction = agent.instruction if isinstance(agent, LlmAgent) and isinstance(agent.instruction, str) else ""
    return {
        "name": agent.name,
        "description": agent.description,
        "instruction": instruction,
        "tools": [],
        "subAgents": [child.name for child in agent.sub_agents],
    }


@adk_endpoint
async def list_sessions(request: Request) -> Response:
    """The user's sessions, without events and state."""
    pipeline, user_id = request.path_params["app_name"], request.path_params["user_id"]
    manager = await manager_of(user_id)
    page = await manager.sessions.listed(SessionFilter(app_name=pipeline), limit=MOST_LISTED)
    return json_answer([session_json(row, user_id) for row in page.rows if row.user_id == manager.user.id])


@adk_endpoint
async def get_session(request: Request) -> Response:
    """A session with its state and events."""
    return await _session(**request.path_params)


async def _session(app_name: str, user_id: str, session_id: str) -> Response:
    manager = await manager_of(user_id)

    def found() -> dict[str, Any]:
        state = manager.sessions.state(app_name, session_id)
        log, row = manager.sessions.log(app_name, session_id), manager.sessions.find(app_name, session_id)
        if row is None:
            raise SessionNotFoundError(f"Session {session_id!r} was deleted meanwhile.")
        return session_json(row, user_id, state=state, log=log)

    return json_answer(await in_thread(found))


@adk_endpoint
async def create_session(request: Request) -> Response:
    """Creates a session; one that begins with events is imported."""
    pipeline, user_id = request.path_params["app_name"], request.path_params["user_id"]
    asked = CreateSessionRequest() if _has_no_body(request) else await read(request, CreateSessionRequest)
    manager = await manager_of(user_id)

    def made() -> str:
        if not asked.events:
            return manager.sessions.create(pipeline, state=asked.state, session_id=asked.session_id)
        if asked.session_id is not None:
            raise MessageError("A session that begins with events gets an id of its own. Leave sessionId out.")
        given = {"id": "given", "appName": pipeline, "state": asked.state, "events": asked.events}
        return import_session(manager, read_adk_session(json.dumps(given).encode())).session_id

    return await _session(pipeline, user_id, await in_thread(made))


@adk_endpoint
async def create_session_with_id(request: Request) -> Response:
    """Creates a session of that id; the body is its state."""
    pipeline, user_id, session_id = (request.path_params[name] for name in ("app_name", "user_id", "session_id"))
    state = {} if _has_no_body(request) else await json_body(request)
    manager = await manager_of(user_id)
    await in_thread(lambda: manager.sessions.create(pipeline, state=state, session_id=session_id))
    return await _session(pipeline, user_id, session_id)


def _has_no_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") == "0" and "transfer-encoding" not in request.headers


@adk_endpoint
async def delete_session(request: Request) -> Response:
    """Deletes a session; the page can restore it."""
    pipeline, user_id, session_id = (request.path_params[name] for name in ("app_name", "user_id", "session_id"))
    manager = await manager_of(user_id)
    await in_thread(manager.sessions.delete, pipeline, session_id)
    return json_answer(None)


@adk_endpoint
async def update_session(request: Request) -> Response:
    """Changes the state of a session."""
    asked, path = await read(request, UpdateSessionRequest), request.path_params
    manager = await manager_of(path["user_id"])
    await in_thread(manager.sessions.set_state, path["app_name"], path["session_id"], asked.state_delta)
    return await _session(**path)
