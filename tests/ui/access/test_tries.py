"""Tries to reach what is somebody else's, by every way in: none succeeds, and none changes anything.

They are generated: each way × each disguise of a guessed id × each user who tries. What is somebody else's has a secret word
in it, which no answer may hold.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from agents import PlaygroundError
from agents.access import OWNER, LinkRole, Role, TokenScope, User, of_playbook, viewer
from agents.ace import DeltaBatch
from agents.cases import AnswerContains, Case, CaseFiles, read_cases
from agents.forks import BackgroundForks
from agents.runs import RunManager
from agents.sharing import export_session
from agents.teams import STARTS
from agents.telemetry import read_traces
from agents.workspace import Workspace
from tests.ui.stage import STAGES, finish
from ui.access import identity, sign_ins
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.api.adk.routes import adk_routes
from ui.api.ag_ui.routes import ag_ui_routes
from ui.api.mcp.playbook_tools import PlaybookTools
from ui.api.mcp.resources import Resources
from ui.api.mcp.session_tools import SessionTools
from ui.api.openai.routes import openai_routes
from ui.sharing.formats import FORMATS
from ui.sign_in.shared_link import shared_route
from ui.state import runs
from ui.web.routes.artifacts import artifact_route
from ui.web.routes.code import code_route
from ui.web.routes.collection import collection_route
from ui.web.routes.exports import export_route
from ui.web.routes.feed import log_route
from ui.web.routes.playbooks import playbook_route
from ui.web.routes.sessions import sessions_route

DONE, ASKING = "iterative_writing", "asking"
SECRET = "zephyrine"
KEY = "AIza-zephyrine-0123456789"
SCOPES = {TokenScope.RUN, TokenScope.PROPOSE, TokenScope.ADMINISTER}


@dataclass
class World:
    """What Eva and the owner have; Kim has an account too, and guests opened links."""

    workspace: Workspace
    manager: RunManager
    eva: User
    kim: User
    tokens: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, tuple[str, str]] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    browsers: dict[str, TestClient] = field(default_factory=dict)
    link: str = ""

    def as_(self, name: str) -> Workspace:
        return self.workspace.as_user({"kim": self.kim, "eva": self.eva}.get(name) or viewer(name))

    def stored(self) -> dict[str, Any]:
        """What nobody else may change."""
        entries = {name: self.manager.sessions.log(*where) for name, where in self.sessions.items()}
        teams = {name: self.workspace.teams.read(name).files for name in self.workspace.teams.names()}
        eva = self.as_("eva")
        cases = [one.case.name for one in read_cases(eva.cases_folder).cases]
        waiting = sorted(call.call_id for call in self.manager.pending() if call.call_id in self.calls.values())
        links = [(one.id, one.role) for one in self.manager.links.all(OWNER)]
        playbook = self.manager.playbooks("finance").playbook().revision
        return {"log": entries, "teams": teams, "cases": cases, "waiting": waiting, "links": links, "playbook": playbook}


def account(manager: RunManager, name: str, role: Role) -> User:
    return manager.accounts.sign_in("test", name, name=name, role=role, is_managed=False).user


def begun(manager: RunManager, pipeline: str, message: str) -> tuple[str, str]:
    run = manager.start(pipeline, message)
    finish(manager, pipeline, run.session_id)
    return pipeline, run.session_id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("tries")
        patch.setenv("PLAYGROUND_DB", str(folder / "play.db"))
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        agents = shutil.copytree(STAGES, folder / "agents")  # cases are written beside them
        workspace = Workspace(folder / "play.db", agents_dir=agents)
        runs.adopt(workspace)
        manager = workspace.runs
        made = World(workspace, manager, account(manager, "eva", Role.AUTHOR), account(manager, "kim", Role.USER))
        for user in (made.eva, made.kim):
            made.tokens[user.id] = manager.tokens.make(user, "program", SCOPES)[1]
        filled(made)
        app = Starlette(routes=served())
        door = Identity(
            app, Reach(network=True), tokens=lambda: runs.manager().tokens, accounts=lambda: runs.manager().accounts
        )
        for name in ("kim", "reads", "revoked", "stranger"):
            made.browsers[name] = TestClient(door, client=("203.0.113.9", 4000), cookies=cookies(made, name))
        yield made
        runs.close()
    for name in [name for name, module in sys.modules.items() if str(agents) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]  # the names of these copies stay taken until nothing holds their workspace


def served() -> list[Any]:
    reads = (code_route, artifact_route, export_route, collection_route, playbook_route, log_route, sessions_route)
    programs = [*adk_routes(), *ag_ui_routes(), *openai_routes()]
    return [*(make(runs.manager) for make in reads), shared_route(runs.manager), *programs]


def cookies(world: World, name: str) -> dict[str, str]:
    answer = Response()
    connection = HTTPConnection({"type": "http", "scheme": "http", "path": "/", "headers": [], "server": ("testserver", 80)})
    if name == "kim":
        sign_ins.give(answer, world.manager.accounts.account(world.kim.id), connection)
    elif name != "stranger":
        identity.give_cookie(answer, viewer(name), connection)
    told = answer.headers.get("set-cookie", "").partition(";")[0]
    return dict([told.split("=", 1)]) if told else {}


def filled(world: World) -> None:
    manager, eva = world.manager, world.as_("eva")
    for user, theirs in (("owner", world.workspace), ("eva", eva)):
        world.sessions[f"{user} done"] = begun(theirs.runs, DONE, f"the {SECRET} sea")
        world.sessions[f"{user} waits"] = begun(theirs.runs, ASKING, "pay 500")
        theirs.runs.sessions.set_state(*world.sessions[f"{user} done"], {"user:phone": SECRET, "mine": SECRET})
        world.calls[user] = next(
            call.call_id for call in theirs.runs.pending(ASKING) if call.session_id == world.sessions[f"{user} waits"][1]
        )
    manager.sessions.set_state(*world.sessions["owner done"], {"app:code": SECRET})
    theirs = world.sessions["eva done"]
    shown = begun(eva.runs, DONE, "a calm sea")
    for name, where in (("reads", shown), ("revoked", theirs)):
        link, text = manager.links.make(world.eva, eva.runs.shared_session(*where), LinkRole.READ, days=1)
        manager.links.open(viewer(name), text, now=link.made_at)
        if name == "revoked":
            manager.links.revoke(world.eva, link.id)
            world.link = text
    ended = {"thing": ["session", theirs[0], world.eva.id, theirs[1]], "role": "continue", "by": world.eva.id, "sha256": ""}
    manager.journal.append("links", {"made": "0" * 16, "days": 0, **ended})
    manager.journal.append("links", {"opened": "0" * 16, "by": viewer("ended").id})
    draft = eva.teams.create("evas_team", STARTS[0].files)
    eva.teams.save(draft, {**draft.files, "notes.md": SECRET}, note="")
    CaseFiles(eva.cases_folder, user=world.eva).write(
        Case(name=SECRET, pipeline=DONE, messages=(SECRET,), expect=(AnswerContains(text=SECRET),))
    )
    eva.data_files.mkdir(parents=True)
    (eva.data_files / f"{SECRET}.csv").write_text(f"question,answer\n{SECRET},1\n")
    eva.runs.models.use_key("gemini", KEY)
    eva.runs.models.change(models=(f"llama/{SECRET}",))
    manager.playbooks("finance").commit(DeltaBatch(operations=[{"type": "ADD", "section": "a", "content": f"the {SECRET}"}]))


# Ways over HTTP: a path with {p} and {s} in it.

DISGUISES: dict[str, Callable[[str], str]] = {
    "exact": str,
    "upper case": str.upper,
    "above": lambda s: f"../{s}",
    "through a folder": lambda s: f"x/../{s}",
    "encoded twice": lambda s: quote(f"../{s}", safe=""),
    "a space": lambda s: f" {s}",
    "a zero byte": lambda s: f"{s}\0",
    "wide letters": lambda s: "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in s),
}
BROWSER = [
    "/api/code?pipeline={p}&session={s}",
    *(f"/api/export?pipeline={{p}}&session={{s}}&format={form}&scope=app&scope=user" for form in FORMATS),
    "/api/artifact?pipeline={p}&session={s}&name=user%3Anotes",
    "/api/log?pipeline={p}&session={s}",
]
OF_BROWSERS = [
    (who, whose, way, disguise)
    for who in ("kim", "reads", "revoked", "stranger")
    for whose in ("owner done", "eva done")
    for way in BROWSER
    for disguise in (DISGUISES if who == "kim" else ("exact",))
]


def asked(client: TestClient, path: str, **more: Any) -> str:
    """All that an answer holds; of a socket, its first frames."""
    if not path.startswith(("/api/log", "/api/sessions")):
        answer = client.request(more.pop("method", "GET"), path, **more)
        return answer.text + str(dict(answer.headers))
    told = ""
    try:
        with client.websocket_connect(path) as socket:
            told += socket.receive_text()
            if '"hello"' in told:
                told += socket.receive_text()
    except WebSocketDisconnect as left:
        told += str(left.reason)
    return told


@pytest.mark.parametrize(("who", "whose", "way", "disguise"), OF_BROWSERS)
def test_a_browser_reaches_nothing_of_somebody_else(world, who, whose, way, disguise):
    pipeline, session = world.sessions[whose]
    path = way.format(p=pipeline, s=quote(DISGUISES[disguise](session), safe=""))
    assert SECRET not in asked(world.browsers[who], path)


@pytest.mark.parametrize("who", ["kim", "reads", "revoked", "stranger"])
@pytest.mark.parametrize(
    "path", ["/api/sessions", "/api/collection", f"/api/collection?q={SECRET}", "/api/collection?q=pay"]
)
def test_no_list_has_what_is_somebody_elses(world, who, path):
    told = asked(world.browsers[who], path)
    assert not any(session in told for _, session in world.sessions.values())


@pytest.mark.parametrize("who", ["reads", "revoked", "stranger"])
def test_who_has_no_account_reads_no_playbook(world, who):
    assert SECRET not in asked(world.browsers[who], "/api/playbook?playbook=finance")


@pytest.mark.parametrize("who", ["kim", "reads", "stranger"])
def test_a_revoked_link_is_opened_by_nobody(world, who):
    answer = world.browsers[who].get(f"/shared/{world.link}", follow_redirects=False)
    assert (answer.status_code, "was revoked" in answer.text) == (404, True)


def test_a_cookie_is_good_for_nobody_else(world):
    """Parts of signed cookies do not make another one; nor does an owner's, an account's id, or a header."""
    [(name, value)] = cookies(world, "reads").items()
    forged = [value.replace("reads", "revoked"), f"{world.eva.id}.{value.partition('.')[2]}", f"person.{'0' * 64}", "..", ""]
    path = BROWSER[0].format(p=DONE, s=world.sessions["eva done"][1])
    for one in forged:
        for header in ("X-Playground-User", "x_playground_user", "Remote-User"):
            headers = {"Cookie": f"{name}={one}", header: world.eva.id}
            assert SECRET not in asked(world.browsers["stranger"], path, headers=headers)


# Ways of programs, with Kim's token.


def response_id(pipeline: str, session: str) -> str:
    named = json.dumps([pipeline, session, "e-1"], separators=(",", ":"))
    return f"resp_{base64.urlsafe_b64encode(named.encode()).decode().rstrip('=')}"


ADK_USERS = ["user", "person", "{eva}", "{kim}", "{eva}~x", "..%2F{eva}", "adk-{eva}", "{EVA}", "visitor-x"]
ADK = "/apps/{p}/users/{u}/sessions"
ADK_WAYS: dict[str, tuple[str, str, Any]] = {
    "list": ("GET", ADK, None),
    "read": ("GET", f"{ADK}/{{s}}", None),
    "take the id": ("POST", f"{ADK}/{{s}}", {"state": {"a": 1}}),
    "change": ("PATCH", f"{ADK}/{{s}}", {"stateDelta": {"mine": "taken"}}),
    "delete": ("DELETE", f"{ADK}/{{s}}", None),
    "files": ("GET", f"{ADK}/{{s}}/artifacts", None),
    "a file": ("GET", f"{ADK}/{{s}}/artifacts/user:notes", None),
    "run": ("POST", "/run", "run"),
    "run live": ("POST", "/run_sse", "run"),
    "answer": ("POST", "/run", "answer"),
}
OF_ADK = [(way, user, whose) for way in ADK_WAYS for user in ADK_USERS for whose in ("owner", "eva")]


@pytest.mark.parametrize(("way", "user", "whose"), OF_ADK)
def test_adks_contract_reaches_nothing_of_somebody_else(world, way, user, whose):
    method, path, body = ADK_WAYS[way]
    pipeline, session = world.sessions[f"{whose} waits" if way == "answer" else f"{whose} done"]
    named = user.format(eva=world.eva.id, kim=world.kim.id, EVA=world.eva.id.upper())
    if isinstance(body, str):
        part: dict[str, Any] = {"text": "tell me all"}
        if body == "answer":
            decision = {"name": "adk_request_confirmation", "response": {"confirmed": True}}
            part = {"functionResponse": {"id": world.calls[whose], **decision}}
        about = {"appName": pipeline, "userId": named, "sessionId": session}
        body = {**about, "newMessage": {"role": "user", "parts": [part]}}
    told = as_kim(world, method, path.format(p=pipeline, u=named, s=session), body)
    assert SECRET not in told


def as_kim(world: World, method: str, path: str, body: Any = None) -> str:
    before = world.stored()
    more = {} if body is None else {"json": body}
    headers = {"Authorization": f"Bearer {world.tokens[world.kim.id]}"}
    told = asked(world.browsers["stranger"], path, method=method, headers=headers, **more)
    assert world.stored() == before
    return told


def openai_ways(pipeline: str, session: str, call: str) -> list[tuple[str, str, Any]]:
    previous, model = response_id(pipeline, session), {"model": pipeline}
    messages = [{"role": "user", "content": "tell me all"}]
    result = {"type": "function_call_output", "call_id": call, "output": "yes"}
    made = {"id": call, "type": "function", "function": {"name": "pay", "arguments": "{}"}}
    answered = [
        *messages,
        {"role": "assistant", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": call, "content": "y"},
    ]
    state = {"tools": [], "context": [], "forwardedProps": {}, "state": {"mine": "taken"}}
    said = {**state, "threadId": session, "runId": "r", "messages": [{"id": "1", "role": "user", "content": "all"}]}
    return [
        ("GET", f"/v1/responses/{previous}", None),
        ("GET", f"/v1/models/{pipeline}", None),
        ("POST", "/v1/responses", {**model, "input": "tell me all", "previous_response_id": previous}),
        ("POST", "/v1/responses", {**model, "input": [result]}),
        ("POST", "/v1/chat/completions", {**model, "messages": answered}),
        ("POST", "/v1/chat/completions", {**model, "messages": messages, "metadata": {"session": session}}),
        ("POST", "/v1/chat/completions", {**model, "messages": messages, "metadata": {"session_id": session}}),
        ("POST", "/v1/chat/completions", {"model": f"replay/{pipeline}/{session}", "messages": messages}),
        ("POST", f"/ag-ui/{pipeline}", said),
        ("POST", f"/ag-ui/{pipeline}", {**said, "resume": [{"interruptId": call, "status": "resolved", "payload": True}]}),
    ]


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("whose", ["owner done", "eva done", "owner waits", "eva waits"])
def test_openais_and_ag_uis_paths_reach_nothing_of_somebody_else(world, number, whose):
    ways = openai_ways(*world.sessions[whose], world.calls[whose.split()[0]])
    assert SECRET not in as_kim(world, *ways[number])


def mcp_ways(world: World, who: str, pipeline: str, session: str) -> list[Any]:
    tools, books = SessionTools(lambda: world.as_(who)), PlaybookTools(lambda: world.as_(who))
    resources = Resources(lambda: world.as_(who))
    guest = [books.list_playbooks(), resources.playbook("finance")] if who != "kim" else []
    return [
        tools.list_sessions(),
        tools.search_sessions(SECRET),
        tools.read_session(pipeline, session),
        tools.state_at(pipeline, session, 3),
        tools.prompt_at(pipeline, session, 6),
        resources.listed(),
        resources.session(pipeline, session),
        *guest,
    ]


@pytest.mark.parametrize("who", ["kim", "reads", "revoked", "ended"])
@pytest.mark.parametrize("whose", ["owner done", "eva done", "owner waits", "eva waits"])
def test_mcps_tools_reach_nothing_of_somebody_else(world, who, whose):
    async def told() -> list[str]:
        async def one(way: Any) -> str:
            try:
                return str(await way)
            except Exception as error:
                return str(error)

        return [await one(way) for way in mcp_ways(world, who, *world.sessions[whose])]

    for answer in asyncio.run(told()):
        assert SECRET not in answer.replace(f"'{SECRET}'", "")


# What a workspace offers to who has it.

Doing = Callable[[World, Workspace, str, str], Any]
OFFERED: dict[str, Doing] = {
    "read a team": lambda w, mine, p, s: mine.teams.read("evas_team"),
    "a team's folder": lambda w, mine, p, s: mine.teams.path("../teams/evas_team"),
    "a team as a file": lambda w, mine, p, s: mine.teams.to_zip("evas_team"),
    "copy a team": lambda w, mine, p, s: mine.teams.duplicate("evas_team", "kims_team"),
    "teams": lambda w, mine, p, s: mine.teams.names(),
    "delete a team": lambda w, mine, p, s: mine.teams.delete("evas_team"),
    "bring back a team": lambda w, mine, p, s: mine.teams.undelete("evas_team"),
    "run a team": lambda w, mine, p, s: mine.runs.start("evas_team", "hello"),
    "a team's pipeline": lambda w, mine, p, s: mine.runs.catalog.get("evas_team"),
    "pipelines": lambda w, mine, p, s: [*mine.catalog.names(), *mine.runs.catalog.names(), *mine.catalog.broken],
    "cases": lambda w, mine, p, s: read_cases(mine.cases_folder).cases,
    "delete a case": lambda w, mine, p, s: mine.cases.delete(read_cases(w.as_("eva").cases_folder).cases[0]),
    "write a case there": lambda w, mine, p, s: mine.cases.restore(w.as_("eva").cases_folder / "x.json", "{}"),
    "data files": lambda w, mine, p, s: [path.read_text() for path in mine.data_files.rglob("*")],
    "lab runs": lambda w, mine, p, s: mine.lab.names(),
    "preferences": lambda w, mine, p, s: mine.runs.models.preferences,
    "keys": lambda w, mine, p, s: mine.runs.models.connection("gemini").api_key,
    "keys in a run": lambda w, mine, p, s: key_in(mine),
    "send their key elsewhere": lambda w, mine, p, s: mine.runs.models.allow_key("gemini", "http://127.0.0.1:9"),
    "replay": lambda w, mine, p, s: begun(mine.runs, p, "x") and mine.runs.start(p, "all", model=f"replay/{p}/{s}"),
    "next of a replay": lambda w, mine, p, s: mine.runs.models.next_message(f"replay/{p}/{s}", p),
    "go on by a replay": lambda w, mine, p, s: mine.runs.start(p, "all", session_id=s, model=f"replay/{p}/{s}"),
    "run": lambda w, mine, p, s: mine.runs.start(p, "all", session_id=s),
    "run again": lambda w, mine, p, s: mine.runs.rerun(p, s),
    "resume": lambda w, mine, p, s: mine.runs.resume(p, s, "e-1"),
    "answer": lambda w, mine, p, s: mine.runs.answer(p, s, w.calls["eva"], {"confirmed": True}),
    "stop": lambda w, mine, p, s: mine.runs.stop(p, s),
    "what waits": lambda w, mine, p, s: mine.runs.pending(),
    "read": lambda w, mine, p, s: mine.runs.sessions.log(p, s),
    "state": lambda w, mine, p, s: mine.runs.sessions.state(p, s),
    "a file": lambda w, mine, p, s: mine.runs.sessions.artifact(p, s, "user:notes"),
    "count": lambda w, mine, p, s: mine.runs.sessions.event_number(p, s, 5),
    "set state": lambda w, mine, p, s: mine.runs.sessions.set_state(p, s, {"user:phone": "taken"}),
    "say something": lambda w, mine, p, s: mine.runs.sessions.add_history(p, s, []),
    "rename": lambda w, mine, p, s: mine.runs.sessions.rename(p, s, "taken"),
    "delete": lambda w, mine, p, s: mine.runs.sessions.delete(p, s),
    "restore": lambda w, mine, p, s: mine.runs.sessions.restore(p, s),
    "take the id": lambda w, mine, p, s: mine.runs.sessions.create(p, session_id=s),
    "rows": lambda w, mine, p, s: mine.runs.sessions.summaries(),
    "find": lambda w, mine, p, s: mine.runs.sessions.find(p, s),
    "find by id": lambda w, mine, p, s: mine.runs.sessions.find(None, s),
    "search": lambda w, mine, p, s: mine.runs.collection.search("sea").sessions,
    "excerpts": lambda w, mine, p, s: mine.runs.collection.excerpts(SECRET, [(p, s)]),
    "tags": lambda w, mine, p, s: mine.runs.collection.tags(),
    "tag": lambda w, mine, p, s: mine.runs.collection.tag([(p, s)], add=["taken"]),
    "sizes": lambda w, mine, p, s: mine.runs.collection.sizes(),
    "delete several": lambda w, mine, p, s: mine.runs.collection.delete([(p, s)]),
    "clean up": lambda w, mine, p, s: mine.runs.collection.clean_up(2e9),
    "export": lambda w, mine, p, s: export_session(mine.runs, p, s),
    "traces": lambda w, mine, p, s: read_traces(mine.runs, p, s, content=True),
    "fork": lambda w, mine, p, s: BackgroundForks(mine.runs).rerun(p, s, at=5),
    "instructions": lambda w, mine, p, s: BackgroundForks(mine.runs).origin(p, s),
    "share": lambda w, mine, p, s: w.manager.links.make(mine.user, mine.runs.shared_session(p, s), LinkRole.READ, days=1),
    "share a playbook": lambda w, mine, p, s: w.manager.links.make(mine.user, of_playbook("finance"), LinkRole.READ, days=1),
    "their links": lambda w, mine, p, s: w.manager.links.all(mine.user),
    "revoke their link": lambda w, mine, p, s: w.manager.links.revoke(mine.user, w.manager.links.all(OWNER)[0].id),
    "tokens": lambda w, mine, p, s: w.manager.tokens.all(mine.user),
    "users": lambda w, mine, p, s: w.manager.accounts.all(mine.user),
    "the database": lambda w, mine, p, s: mine.runs.in_store(lambda services: services.sessions.summaries()),
    "copy the database": lambda w, mine, p, s: mine.copy_to(w.workspace.database.with_name("taken.db"), print),
    "servers": lambda w, mine, p, s: mine.runs.models.change(base_urls={"gemini": "http://127.0.0.1:9"}),
    "tools' servers": lambda w, mine, p, s: mine.runs.mcp_servers,
    "change a playbook": lambda w, mine, p, s: mine.runs.playbooks("finance").freeze(),
    "app state": lambda w, mine, p, s: mine.runs.sessions.create(p, state={"app:code": "taken"}),
}
OF_WORKSPACES = [
    (who, whose, what) for what in OFFERED for who in ("kim", "reads", "revoked", "ended") for whose in ("owner", "eva")
]


def key_in(mine: Workspace) -> Any:
    """The key that a run of the user would send."""
    from agents.models.connections import connection

    with mine.runs.models.scope.entered():
        held = connection("gemini").api_key
    return held.get_secret_value() if held else None


@pytest.mark.parametrize(("who", "whose", "what"), OF_WORKSPACES)
def test_a_workspace_gives_nothing_of_somebody_else(world, who, whose, what):
    before, (pipeline, session) = world.stored(), world.sessions[f"{whose} {'waits' if what == 'answer' else 'done'}"]
    try:
        told = str(OFFERED[what](world, world.as_(who), pipeline, session))
    except (PlaygroundError, OSError, ValueError) as error:
        told = str(error)
    assert SECRET not in told
    assert session not in told or "There is no" in told or "is not here" in told or "already" in told, told
    assert world.stored() == before


def test_there_are_more_than_two_hundred():
    assert len(OF_BROWSERS) + len(OF_ADK) + len(OF_WORKSPACES) + 40 + 16 > 200


def test_the_secrets_are_found_by_those_whose_they_are(world):
    """The tries would notice: the same ways lead to them."""
    eva = world.as_("eva")
    pipeline, session = world.sessions["eva done"]
    headers = {"Authorization": f"Bearer {world.tokens[world.eva.id]}"}
    client = world.browsers["stranger"]
    assert SECRET in asked(client, f"/apps/{pipeline}/users/user/sessions/{session}", headers=headers)
    assert SECRET in asked(client, f"/apps/{pipeline}/users/{world.eva.id}/sessions/{session}", headers=headers)
    for what in ("read a team", "cases", "data files", "preferences", "keys in a run", "read", "state", "export"):
        assert SECRET in str(OFFERED[what](world, eva, pipeline, session)), what
    for what in ("rows", "search", "sizes", "what waits"):
        assert any(where[1] in str(OFFERED[what](world, eva, pipeline, session)) for where in world.sessions.values()), what
