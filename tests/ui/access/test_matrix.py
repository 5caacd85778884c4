"""Every action × role × way in: what each way does is in a table, and each role gets as far as `RIGHTS` says.

A route, tool, command, action of a page, or `Action` without an entry makes a test fail.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents import PlaygroundError
from agents.access import OWNER, RIGHTS, Action, Role, User, permits
from agents.workspace import Workspace
from tests.ui.access.askers import BY_ROLE
from tests.ui.access.test_entrances import COMMAND_ACTIONS, PROGRAMS
from tests.ui.access.test_script_actions import REFUSED
from tests.ui.access.test_tries import DONE, served
from tests.ui.stage import STAGES, finish
from ui.access import identity
from ui.api.mcp.playbook_tools import PlaybookTools
from ui.api.mcp.run_tools import RunTools
from ui.api.mcp.session_tools import SessionTools
from ui.api.openai.conversation import response_id
from ui.state import runs

ADK = "/apps/{p}/users/user/sessions/{s}"
SAID = {"newMessage": {"role": "user", "parts": [{"text": "the sea"}]}}
AG_UI = {"runId": "r", "tools": [], "context": [], "forwardedProps": {}, "state": {}}
MESSAGES = [{"role": "user", "content": "the sea"}]
NOTE = {"filename": "notes", "artifact": {"text": "x"}}


@dataclass(frozen=True)
class Way:
    """A request: what it does, and to whose. `of_own` is done to nothing that is there."""

    action: Action
    method: str
    path: str
    body: Any = None
    of_own: bool = False


HTTP: dict[str, tuple[Way, ...]] = {
    "/api/code": (Way(Action.READ_SESSION, "GET", "/api/code?pipeline={p}&session={s}"),),
    "/api/export": (Way(Action.EXPORT, "GET", "/api/export?pipeline={p}&session={s}&format=jsonl"),),
    "/api/playbook": (Way(Action.READ_PLAYBOOK, "GET", "/api/playbook?playbook=finance"),),
    "/apps/{app_name}/users/{user_id}/sessions": (
        Way(Action.RUN, "POST", "/apps/{p}/users/user/sessions", {"state": {}}, of_own=True),
        Way(Action.WRITE_APP_STATE, "POST", "/apps/{p}/users/user/sessions", {"state": {"app:x": 1}}, of_own=True),
    ),
    "/apps/{app_name}/users/{user_id}/sessions/{session_id}": (
        Way(Action.READ_SESSION, "GET", ADK),
        Way(Action.WRITE_STATE, "PATCH", ADK, {"stateDelta": {"x": 1}}),
        Way(Action.DELETE, "DELETE", ADK),
    ),
    "/apps/{app_name}/users/{user_id}/sessions/{session_id}/artifacts": (
        Way(Action.EXPORT, "GET", f"{ADK}/artifacts"),
        Way(Action.UPLOAD, "POST", f"{ADK}/artifacts", NOTE),
    ),
    "/run": (Way(Action.RUN, "POST", "/run", {"appName": "{p}", "userId": "user", "sessionId": "{s}", **SAID}),),
    "/run_sse": (Way(Action.RUN, "POST", "/run_sse", {"appName": "{p}", "userId": "user", "sessionId": "{s}", **SAID}),),
    "/v1/responses/{response}": (
        Way(Action.READ_SESSION, "GET", "/v1/responses/{r}"),
        Way(Action.DELETE, "DELETE", "/v1/responses/{r}"),
    ),
    "/v1/responses/{response}/cancel": (Way(Action.READ_SESSION, "POST", "/v1/responses/{r}/cancel"),),
    "/v1/responses/{response}/input_items": (Way(Action.READ_SESSION, "GET", "/v1/responses/{r}/input_items"),),
    "/v1/conversations/{conversation}": (
        Way(Action.READ_SESSION, "GET", "/v1/conversations/{s}"),
        Way(Action.DELETE, "DELETE", "/v1/conversations/{s}"),
    ),
    "/v1/conversations/{conversation}/items": (Way(Action.READ_SESSION, "GET", "/v1/conversations/{s}/items"),),
    "/v1/responses": (
        Way(Action.RUN, "POST", "/v1/responses", {"model": "{p}", "input": "the sea", "previous_response_id": "{r}"}),
        Way(Action.RUN, "POST", "/v1/responses", {"model": "{p}", "input": "the sea"}, of_own=True),
    ),
    "/v1/chat/completions": (
        Way(Action.RUN, "POST", "/v1/chat/completions", {"model": "{p}", "messages": MESSAGES}, of_own=True),
    ),
    "/ag-ui/{pipeline}": (
        Way(
            Action.RUN,
            "POST",
            "/ag-ui/{p}",
            {**AG_UI, "threadId": "{s}", "messages": [{"id": "1", "role": "user", "content": "the sea"}]},
        ),
    ),
}
"""What requests do, by their routes."""
OPEN = {
    # what can be run, and of which version: of no user
    "/list-apps", "/version", "/apps/{app_name}/app-info", "/v1/models", "/v1/models/{model:path}",
    # makes an id, and nothing else
    "/v1/conversations",
    # the owner's alone: tests/ui/web/operations
    "/metrics",
    # its tools are below
    "/mcp",
}  # fmt: skip
OF_FILES = "/apps/{app_name}/users/{user_id}/sessions/{session_id}/artifacts/"
"""Single files and their versions go the way of their list: `ui.api.adk.artifacts._with_files`."""

TOOLS: dict[str, tuple[Action, dict[str, Any]]] = {
    **dict.fromkeys(("list_sessions", "list_pipelines"), (Action.READ_SESSION, {})),
    "search_sessions": (Action.READ_SESSION, {"text": "sea"}),
    "read_session": (Action.READ_SESSION, {"pipeline": "{p}", "session": "{s}"}),
    "state_at": (Action.READ_SESSION, {"pipeline": "{p}", "session": "{s}", "entry": 3}),
    "prompt_at": (Action.READ_SESSION, {"pipeline": "{p}", "session": "{s}", "entry": 6}),
    "list_playbooks": (Action.READ_PLAYBOOK, {}),
    "read_playbook": (Action.READ_PLAYBOOK, {"playbook": "finance"}),
    "search_playbook": (Action.READ_PLAYBOOK, {"playbook": "finance", "text": "x"}),
    "propose_changes": (Action.PROPOSE, {}),
    "run_pipeline": (Action.RUN, {}),
    "run_cases": (Action.USE_CASES, {}),
}
LISTS = {name for name, (_, given) in TOOLS.items() if not {"session", "playbook"} & given.keys()}
"""Tools that name nothing of somebody else's: what they list is in test_tries.py, what they do in tests/ui/api/mcp."""


def test_every_way_of_programs_is_in_these_tables():
    assert {path for path in PROGRAMS if not path.startswith(OF_FILES)} <= set(HTTP) | OPEN
    assert {path for path in HTTP if not path.startswith("/api/")} | OPEN <= PROGRAMS
    assert {name for tools in (SessionTools, PlaybookTools, RunTools) for name in tools.OFFERED} == set(TOOLS)


def test_every_action_is_done_in_some_way_that_is_tried():
    of_http = {way.action for ways in HTTP.values() for way in ways}
    of_pages = {action for action, _ in REFUSED.values()}
    of_tools = {action for action, _ in TOOLS.values()}
    of_commands = {action for actions in COMMAND_ACTIONS.values() if actions != set(Action) for action in actions}
    elsewhere = {
        # tests/agents/lessons/test_desk.py, tests/ui/classroom/test_rights.py
        *(Action.LEARN, Action.READ_PROGRESS, Action.HOLD_CLASS, Action.TAKE_PART),
        # tests/agents/runs/test_asker.py; of lab runs: test_tries.py
        *(Action.STOP, Action.READ_LAB),
    }
    assert of_http | of_pages | of_tools | of_commands | elsewhere == set(Action) == set(RIGHTS)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("matrix")
        patch.setenv("PLAYGROUND_DB", str(folder / "play.db"))
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        workspace = Workspace(folder / "play.db", agents_dir=STAGES)
        runs.adopt(workspace)
        workspace.runs.playbooks("finance").freeze(frozen=False)
        yield workspace
        runs.close()


def filled(told: Any, names: dict[str, str]) -> Any:
    """A body with the names in it."""
    text = json.dumps(told)
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return json.loads(text)


def names_in(workspace: Workspace) -> dict[str, str]:
    """A new session of the owner's."""
    run = workspace.runs.start(DONE, "the sea")
    finish(workspace.runs, DONE, run.session_id)
    return {"p": DONE, "s": run.session_id, "r": response_id(run)}


WAYS = [(path, number, role) for path, ways in HTTP.items() for number in range(len(ways)) for role in Role]


@pytest.mark.parametrize(("path", "number", "role"), WAYS)
def test_each_role_gets_as_far_by_http_as_the_table_says(world, monkeypatch, path, number, role):
    way, user, names = HTTP[path][number], BY_ROLE[role], names_in(world)
    monkeypatch.setattr(identity, "current", lambda: user)
    asked = filled(way.path, names)
    more = {} if way.body is None else {"json": filled(way.body, names)}
    with TestClient(Starlette(routes=served())) as client:
        answer = client.request(way.method, asked, **more)
    may = permits(user, way.action, of=None if way.of_own else OWNER.id)
    assert (answer.status_code < 400) is (may and may_read(user, way)), answer.text[:300]


def may_read(user: User, way: Way) -> bool:
    """Who may not read a session is told so first, whatever else the table permits."""
    return way.of_own or way.action is Action.READ_PLAYBOOK or permits(user, Action.READ_SESSION, of=OWNER.id)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("tool", sorted(TOOLS.keys() - LISTS))
def test_each_role_gets_as_far_by_a_tool_as_the_table_says(world, monkeypatch, tool, role):
    action, arguments = TOOLS[tool]
    names = names_in(world)
    user = BY_ROLE[role]
    kind = next(one for one in (SessionTools, PlaybookTools, RunTools) if tool in one.OFFERED)
    call: Callable[..., Any] = getattr(kind(lambda: world.as_user(user)), tool)
    try:
        asyncio.run(call(**filled(arguments, names)))
        done = True
    except PlaygroundError:
        done = False
    assert done is permits(user, action, of=OWNER.id)
