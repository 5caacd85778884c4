"""Whatever a visitor's browser tab asks the page's script to do, only what `RIGHTS` permits is done.

A browser may click what is disabled and send any value, so each action is called as a visitor, on what is the owner's. A new
one that is not in these tables makes a test fail.
"""

from __future__ import annotations

import inspect
import io
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from agents.access import OWNER, RIGHTS, Action, Extent, LinkRole, Role, TokenScope, User, permits
from agents.ace import Playbook
from agents.cases import AnswerContains, Case, CaseFiles, Check, read_cases
from agents.errors import NotPermittedError
from agents.review import Fix
from agents.runs import RunManager
from agents.sharing import export_session, read_shared
from agents.teams import STARTS
from agents.transcripts import Lesson, Trial
from agents.workspace import Workspace
from tests.agents.transcripts.samples import claude_session
from tests.ui.access.askers import BY_ROLE, ask_as
from tests.ui.access.script_actions import script_actions
from tests.ui.playbook.stage import filled
from tests.ui.stage import STAGES, finish
from ui.access import owner, owner_token
from ui.build import actions as build_actions
from ui.cases import actions as case_actions
from ui.demo.lab.demos import LAB_DEMOS
from ui.demo.watch.arms import new_watch
from ui.lab import actions as lab_actions
from ui.playbook import view_state
from ui.playground import actions as playground_actions
from ui.session_list.act import Act
from ui.session_view import Answer, Feedback, WhatIf
from ui.settings import actions as settings_actions
from ui.settings import api, questions
from ui.sharing import links
from ui.state import runs

DONE = "iterative_writing"
CASE = Case(name="held", pipeline=DONE, messages=("the sea",), expect=(AnswerContains(text="sea"),))


class World:
    """What the owner has; and values for the parameters of actions, by their names."""

    def __init__(self, manager: RunManager) -> None:
        self.manager = manager
        done = manager.start(DONE, "the sea")
        finish(manager, DONE, done.session_id)
        waiting = manager.start("asking", "pay 500")
        finish(manager, "asking", waiting.session_id)
        [self.call] = manager.pending("asking")
        gone = manager.start(DONE, "gone")
        finish(manager, DONE, gone.session_id)
        manager.sessions.delete(DONE, gone.session_id)
        self.session, self.waiting, self.gone = done.session_id, waiting.session_id, gone.session_id
        self.event = next(entry.seq for entry in manager.sessions.log(DONE, self.session) if entry.kind == "event")
        filled(manager, "finance")
        self.taught = manager.sessions.create("ace")
        self.watch = new_watch(manager).name
        CaseFiles(runs.workspace().cases_folder).write(CASE)
        self.cases = runs.workspace().cases_folder
        [self.case] = read_cases(self.cases).cases
        self.run = runs.workspace().lab.begin(LAB_DEMOS["world"].description).name
        other = runs.workspace().lab.begin(LAB_DEMOS["world"].description).name
        self.deleted_run = lab_actions.Deleted(runs.workspace().lab.delete(other), other)
        self.file = read_shared(export_session(manager, DONE, self.session).to_text().encode())
        teams = runs.workspace().teams
        self.team, self.gone_team = "built", "gone_team"
        for team in (self.team, self.gone_team):
            draft = teams.create(team, STARTS[0].files)
            teams.save(draft, {**draft.files, "notes.md": "mine"}, note="")
        teams.delete(self.gone_team)
        self.token, _ = manager.tokens.make(OWNER, "my editor", {TokenScope.RUN})
        thing = manager.shared_session(DONE, self.session)
        self.link, _ = manager.links.make(OWNER, thing, LinkRole.READ, days=7)
        self.account = manager.accounts.redeem(manager.accounts.invite(OWNER, Role.USER)[1], "Ann").id
        self.act = {"sessions": ((DONE, self.session),), "title": "mine", "add": ("mine",)}

    def value(self, parameter: str) -> Any:
        """What a hostile browser gives for it."""
        known = {
            "pipeline": DONE, "session": self.session, "origin": self.session, "fork": self.session,
            "bullet_id": "units-00001",
            "bullet_ids": ["units-00001", "hr-00002"], "name": "finance", "playbook": "finance", "run_name": self.run,
            "run": self.run, "revision": 1, "number": 2, "newest": 3, "model": "simulated", "provider": "llama",
            "base_url": "http://127.0.0.1:9", "message": "mine", "sample": "mine", "title": "mine", "stored": self.case,
            "said": "mine", "type": "REMOVE", "what": "import", "names": ["finance"], "agent": "WriterAgent",
            "part": "input", "start": STARTS[0], "file": "notes.md", "back": True,
            "preferred": {}, "default": "", "scope": "user", "chosen": set(), "value": True, "by": 1, "decisions": [],
            "arm": "online", "seed": 0, "speed": 1.0, "section": "data", "tab": "cases",
            "is_picked": True, "is_guarded": True, "before": 5,
            "frozen": True, "kind": "session", "folder": str(self.cases), "call_id": self.call.call_id, "fault": None,
            "operations": [{"type": "ADD", "section": "a", "content": "mine"}], "where": "page",
            "sessions": [(DONE, self.gone)], "manager": runs.manager(), "language": "ja",
        }  # fmt: skip
        name = parameter.lstrip("_")
        if name.endswith("key") or name in {"key", "keys"}:
            return {"input": TYPED, "output": TYPED} if name == "keys" else TYPED
        return known[name]


TYPED = "typed"
"""The key of a field in which something was typed."""

Given = Callable[[World], dict[str, Any]]


LEARNED = Trial(
    lesson=Lesson(kind="command", places=(), learned_from=(), held_out=(), bullet_id="cmd-00001", bullet="Run tox."),
    cases=1,
    alone=1,
)
"""A bullet that passed."""


class Upload(io.BytesIO):
    """A file as a browser sends it."""

    name = "session.jsonl"


def nothing(_: World) -> dict[str, Any]:
    return {}


def of_watch(world: World) -> dict[str, Any]:
    return {"name": world.watch}


def of_team(world: World) -> dict[str, Any]:
    return {"name": world.team}


PLAYBOOK, SETTINGS, LAB = Action.EDIT_PLAYBOOK, Action.CHANGE_SETTINGS, Action.USE_LAB
REFUSED: dict[str, tuple[Action, Given]] = {
    **dict.fromkeys(
        (
            f"ui.build.actions:{name}"
            for name in (
                "add_tools", "delete", "duplicate", "remove_file", "rename", "restore", "save_file", "take_acts", "turn",
            )
        ),
        (Action.EDIT_TEAM, of_team),
    ),
    "ui.build.actions:add_files": (Action.EDIT_TEAM, lambda w: {"name": w.team, "key": "team_files"}),
    "ui.build.actions:answer": (
        Action.ANSWER,
        lambda w: {"name": "asking", "session": w.waiting, "given": Answer(w.call.call_id, {"confirmed": True})},
    ),
    "ui.build.actions:begin": (Action.EDIT_TEAM, nothing),
    "ui.build.actions:begin_copy": (Action.EDIT_TEAM, lambda _: {"key": "copied"}),
    "ui.build.actions:begin_pasted": (Action.EDIT_TEAM, nothing),
    "ui.build.actions:begin_uploaded": (Action.EDIT_TEAM, lambda _: {"key": "team_files"}),
    "ui.build.actions:fix": (
        Action.EDIT_TEAM,
        lambda w: {"name": w.team, "found": Fix("mine", "critic", "output_key", None)},
    ),
    "ui.build.actions:undelete": (Action.EDIT_TEAM, lambda w: {"name": w.gone_team}),
    "ui.cases.actions:delete": (Action.USE_CASES, nothing),
    "ui.cases.actions:open_dialog": (Action.USE_CASES, nothing),
    "ui.cases.actions:restore": (
        Action.USE_CASES,
        lambda w: {"gone": case_actions.Deleted("", w.cases / "mine.json", "{}")},
    ),
    "ui.cases.actions:save": (Action.USE_CASES, nothing),
    "ui.cases.case_list:_run_one": (
        Action.USE_SERVICES,
        lambda w: {"check": Check(w.manager.catalog, playbooks=w.manager.playbooks("finance"), model="simulated")},
    ),
    "ui.demo.bar:_anew": (PLAYBOOK, nothing),
    "ui.demo.bar:_go_on": (PLAYBOOK, lambda w: {"playbook": w.watch}),
    "ui.demo.lab.page:_begin": (LAB, lambda _: {"name": "race"}),
    "ui.demo.lab.page:_resume": (LAB, lambda _: {"name": "world"}),
    "ui.demo.watch.page:_begin": (PLAYBOOK, nothing),
    "ui.demo.watch.page:_pause": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_play": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_play_anyway": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_remove": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_restore": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_set_speed": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_stop": (PLAYBOOK, of_watch),
    "ui.demo.watch.page:_take_away": (PLAYBOOK, of_watch),
    "ui.forks.actions:ask": (Action.FORK, lambda w: {"asked": WhatIf(w.event, "playbook")}),
    "ui.lab.actions:begin": (LAB, nothing),
    "ui.lab.actions:delete": (LAB, lambda w: {"name": w.run}),
    "ui.lab.actions:restore": (LAB, lambda w: {"gone": w.deleted_run}),
    "ui.lab.actions:resume": (LAB, lambda w: {"name": w.run}),
    "ui.lab.actions:stop": (LAB, lambda w: {"name": w.run}),
    "ui.lab.actions:switch_off": (LAB, lambda w: {"name": w.run, "sample": "online:0:1"}),
    "ui.lab.new_run.data_form:add_file": (Action.UPLOAD, nothing),
    "ui.lab.new_run.data_form:paste": (Action.UPLOAD, nothing),
    "ui.lab.recorded.recorded_list:open_recording": (LAB, lambda _: {"name": "transplant"}),
    **dict.fromkeys(
        (
            f"ui.playbook.actions:{name}"
            for name in (
                "add", "commit", "copy", "create", "freeze", "guard", "merge", "rewrite", "roll_back", "undo",
                "watch", "with_each",
            )
        ),
        (PLAYBOOK, nothing),
    ),
    "ui.playbook.actions:take_in": (PLAYBOOK, nothing),
    "ui.playbook.actions:decide": (Action.ANSWER, lambda w: {"pipeline": "asking", "session": w.waiting}),
    "ui.playbook.deltas.approval:_send": (Action.ANSWER, lambda w: {"call": w.call, "operations": ()}),
    "ui.playbook.exchange.exchange:_import": (PLAYBOOK, nothing),
    "ui.playbook.measured.form:stop": (LAB, nothing),
    "ui.playground.actions:answer": (
        Action.ANSWER,
        lambda w: {"pipeline": "asking", "session": w.waiting, "given": Answer(w.call.call_id, {"confirmed": True})},
    ),
    "ui.playground.actions:change_control": (
        Action.WRITE_STATE,
        lambda w: {"pipeline": "ace", "name": "approval", "value": True, "session": w.taught},
    ),
    "ui.playground.actions:delete": (Action.DELETE, nothing),
    "ui.playground.actions:judge": (Action.WRITE_STATE, lambda w: {"given": Feedback(w.event, False, "mine")}),
    "ui.playground.actions:rename": (Action.RENAME, nothing),
    "ui.playground.actions:run": (Action.RUN, lambda _: {"files": ()}),
    "ui.state.run_actions:run_again": (Action.RUN, nothing),
    "ui.playground.actions:send_message": (Action.RUN, nothing),
    "ui.playground.conversation:_send_sample": (Action.RUN, nothing),
    "ui.playground.session_list:create": (Action.WRITE_APP_STATE, nothing),
    "ui.sessions.actions:act": (Action.DELETE, lambda w: {"asked": Act(kind="delete", **w.act)}),
    "ui.sessions.actions:act rename": (Action.RENAME, lambda w: {"asked": Act(kind="rename", **w.act)}),
    "ui.sessions.actions:act tag": (Action.RENAME, lambda w: {"asked": Act(kind="tag", **w.act)}),
    "ui.sessions.actions:clean_up": (Action.CLEAN_UP, lambda _: {"key": "days"}),
    **dict.fromkeys(
        (
            f"ui.settings.{name}"
            for name in (
                "actions:forget_speed", "actions:prefer_agent_model", "actions:prefer_model", "actions:undo",
                "models.actions:allow_key", "models.actions:forget_key",
                "models.actions:list_models", "models.actions:offer",
                "models.actions:test", "models.actions:use_key",
            )
        ),
        (Action.SET_OWN, nothing),
    ),
    "ui.settings.models.actions:forget": (SETTINGS, nothing),
    "ui.settings.models.actions:unload": (SETTINGS, nothing),
    "ui.settings.actions:set_speed": (Action.SET_OWN, nothing),
    "ui.settings.api:make_token": (Action.MAKE_TOKENS, nothing),
    "ui.settings.api:revoke_token": (Action.MAKE_TOKENS, lambda w: {"token_id": w.token.id, "name": w.token.name}),
    "ui.settings.api:set_leaving": (Action.SET_OWN, lambda _: {"stops": True}),
    "ui.settings.models.actions:limit_answers": (Action.SET_OWN, lambda _: {"seconds": 60.0}),
    **dict.fromkeys(
        (
            f"ui.settings.users:{name}"
            for name in ("invite", "link", "withdrawn", "change_role", "disable", "enable", "sign_out")
        ),
        (Action.MANAGE_USERS, lambda w: {"role": "owner", "account": w.account, "invitation": "0", "name": "mine"}),
    ),
    **dict.fromkeys((f"ui.settings.servers:{name}" for name in ("keep", "remove", "test", "turn")), (SETTINGS, nothing)),
    "ui.settings.models.actions:use_url": (SETTINGS, lambda _: {"key": "url"}),
    "ui.settings.prices:add_price": (Action.SET_OWN, lambda _: {"keys": {"input": "days", "output": "days"}}),
    "ui.settings.prices:reset_price": (Action.SET_OWN, nothing),
    "ui.settings.prices:set_price": (Action.SET_OWN, lambda _: {"value": 1.0, "model": "gemini-pro-latest"}),
    "ui.sharing.dialogs:_take_in": (Action.IMPORT, lambda w: {"file": w.file, "upload": None, "on_imported": print}),
    "ui.sharing.links:make": (Action.SHARE, nothing),
    "ui.sharing.links:restore": (Action.SHARE, lambda w: {"link_id": w.link.id}),
    "ui.sharing.links:revoke": (Action.SHARE, lambda w: {"link_id": w.link.id}),
    "ui.sessions.learned:bring_in": (Action.IMPORT, nothing),
    "ui.sessions.learned:keep": (Action.EDIT_PLAYBOOK, lambda _: {"trials": (LEARNED,), "name_key": "name"}),
    "ui.sharing.dialogs:_take_transcript": (
        Action.IMPORT,
        lambda _: {"upload": Upload(claude_session().text().encode()), "on_imported": print},
    ),
    "ui.state.places:_make_database": (Action.USE_SERVICES, nothing),
}  # fmt: skip
"""What a visitor may not do to what is the owner's: the action that it is, and the arguments that are tried."""

MAKES = {
    *(f"ui.build.actions:begin{what}" for what in ("", "_copy", "_pasted", "_uploaded")),
    *("ui.build.actions:duplicate", "ui.sessions.learned:bring_in"),
    *("ui.cases.actions:save", "ui.lab.new_run.data_form:add_file", "ui.lab.new_run.data_form:paste"),
    *("ui.settings.api:make_token", "ui.sharing.dialogs:_take_in", "ui.sharing.dialogs:_take_transcript"),
    *(name for name, (action, _) in REFUSED.items() if action is Action.SET_OWN),
}
"""What makes something of the user's own, and touches nothing of the owner's."""


def is_refused(name: str, user: User) -> bool:
    """Whether the table says that a user may not do it."""
    return not permits(user, REFUSED[name][0], of=None if name in MAKES else OWNER.id)


REFUSALS = [(name, role) for name in REFUSED for role, user in BY_ROLE.items() if is_refused(name, user)]

LOOKS = {
    "ui.access.owner:_unlock",
    "ui.build.actions:keep_text", "ui.build.actions:lead_to", "ui.build.actions:load_newest",
    *(f"ui.cases.actions:{name}" for name in ("add_row", "close", "dismiss", "remove_row", "run", "stop")),
    *(f"ui.demo.bar:{name}" for name in ("_close", "_end", "_go")),
    *(f"ui.demo.lab.page:{name}" for name in ("_end", "_go")),
    "ui.demo.watch.page:_forget",
    *(f"ui.forks.actions:{name}" for name in ("close", "open_fork", "open_origin")),
    "ui.lessons.words:_take_language",
    "ui.help.page:_clear", "ui.gallery.overview:_clear",
    *(
        f"ui.lab.actions:{name}"
        for name in ("dismiss", "open_session", "put_beside", "show", "show_of", "show_question", "step")
    ),
    *(f"ui.lab.new_run.drafts:{name}" for name in ("keep", "reset", "take_chosen", "undo")),
    "ui.lab.run_view:_pick",
    "ui.playbook.bullets.bullet_list:_show_all",
    "ui.playbook.bullets.bullet_panel:_show_all",
    "ui.playbook.growth:_pick",
    "ui.playbook.measured.effects:_pick",
    "ui.playbook.measured.effects:show_list",
    "ui.kit.paging:back_to_first",
    *(
        f"ui.playbook.view_state:{name}"
        for name in (
            "ask", "choose", "choose_from", "clear_picked", "close", "compare", "dismiss", "look_at", "look_into", "pick",
            "show", "show_delta", "slide",
        )
    ),
    *(
        f"ui.playground.actions:{name}"
        for name in (
            "add_fault", "choose_agent_model", "choose_model", "forget_agent_models", "open_session", "remove_fault",
            "replay", "restore",
        )
    ),
    "ui.playground.teaching.form:open_form",
    *(f"ui.playground.teaching.view:{name}" for name in ("resume", "stop")),
    "ui.state.run_actions:stop",
    "ui.playground.header:_set",
    "ui.playground.setup:_add",
    *(f"ui.sessions.actions:{name}" for name in ("dismiss", "restore", "run_both", "view")),
    "ui.sessions.comparison_view:_leave",
    *(f"ui.settings.{name}" for name in ("actions:dismiss", "actions:look_at_pipeline", "page:_go_to")),
    "ui.settings.api:put_away", "ui.settings.servers:edit", "ui.settings.users:put_away",
    "ui.settings.activity:turn", "ui.settings.activity:to_first",
    # ends the browser's own sign-in: tests/journeys/test_users.py
    "ui.state.navigation:_sign_out",
    "ui.settings.prices:name_to_price",
    "ui.settings.questions:forget",
    *(f"ui.sharing.dialogs:{name}" for name in ("_close", "ask_export", "ask_import")),
    "ui.sharing.links:_close", "ui.sharing.links:ask",
    *(f"ui.state.address:{name}" for name in ("go", "open_session")),
}  # fmt: skip
"""What changes nothing but what the tab shows, or finds nothing of the visitor's to change."""

ELSEWHERE = {
    # wrap another one of these
    "ui.playbook.actions:callback", "ui.sessions.actions:callback", "ui.settings.actions:callback",
    "ui.state.notices:callback", "ui.session_list.component:_forward", "ui.session_view.component:_forward_answer",
    "ui.session_view.component:_forward_feedback", "ui.session_view.component:_forward_what_if",
    "ui.session_view.component:_forward_message",
    "ui.session_view.component:_no_callback",
    "ui.shell.page_scripts:forward",
    "ui.playbook.bullets.selection:_merge", "ui.playbook.bullets.selection:_with_picked",
    "ui.demo.watch.entry:begin", "ui.playground.actions:open_imported",
    # makes sessions of the visitor's own
    "ui.playground.teaching.form:begin", "ui.build.actions:run",
    # do the visitor's own lessons, and answer their own session: tests/agents/lessons/test_desk.py
    *(
        f"ui.lessons.actions:{name}"
        for name in (
            "again", "answer", "begin", "change", "change_control", "change_files", "check", "choose", "compare", "give_up",
            "hand_in", "hint", "name_it", "reset", "reset_copy", "say_cause",
        )
    ),
    "ui.lessons.selection:_forward",
    # draw the page once more
    "ui.playbook.page:show asks", "ui.sessions.page:show asks", "ui.settings.page:show asks",
    "ui.state.places:_database_problem asks", "ui.playbook.bullets.duplicates:show asks",
    # `entry.button` draws `watch`, which is an action
    "ui.playbook.head:_whole_playbook asks", "ui.playbook.welcome:show asks",
    # begin a run or a fork, which the manager checks: tests/agents/runs/test_asker.py
    "ui.forks.dialog:_buttons asks", "ui.forks.dialog:_other_model asks", "ui.forks.dialog:_missing_key asks",
    "ui.gallery.lesson:_run_button asks", "ui.sessions.learned:_try asks",
    "ui.gallery.lesson:_watch_button asks", "ui.demo.overview:_card asks",
    # tests/ui/playbook/bullets/test_touched.py, …/measured/test_effects.py, tests/ui/demo/lab/test_page.py
    "ui.playbook.bullets.touched:_answer asks", "ui.playbook.bullets.touched:_source asks",
    "ui.playbook.measured.form:begin", "ui.demo.lab.page:_go_on",
    # tests/ui/lab/new_run/test_form.py
    "ui.lab.new_run.arm_cards:copy", "ui.lab.new_run.arm_cards:switch", "ui.lab.new_run.data_form:pick",
    "ui.lab.new_run.fields:set_value",
    # the server's, not a page's
    "ui.server:answering", "ui.server:shutdown.signal",
}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("world")
        patch.setenv("PLAYGROUND_DB", str(folder / "play.db"))
        patch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
        agents = shutil.copytree(STAGES, folder / "agents")  # cases are written beside them
        runs.adopt(Workspace(folder / "play.db", agents_dir=agents))
        yield World(runs.manager())
        runs.close()
    for name in [name for name, module in sys.modules.items() if str(agents) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]  # the names of these copies stay taken until nothing holds their workspace


AUDIT = """INSERT INTO "journals" VALUES('audit',"""


def stored(folder: Path) -> dict[str, Any]:
    """Everything that is stored: files, and the rows of databases, without the list of what was done and refused."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".db":
            with sqlite3.connect(path) as conn:
                found[path.name] = [row for row in conn.iterdump() if not row.startswith(AUDIT)]
        elif path.is_file() and not path.name.endswith(("-wal", "-shm")):
            found[path.name] = path.read_bytes()
    return found


def script() -> None:
    import streamlit as st

    st.session_state["outcome"] = st.session_state["attempt"]()


def tried(world: World, name: str, given: dict[str, Any]) -> str:
    """Does an action in a visitor's tab; all that the tab is told then."""
    module, _, function = name.partition(":")
    action = getattr(import_module(module), function.partition(" ")[0])

    def attempt() -> str:
        assert not owner.is_owner()
        typed(world)
        keyword: dict[str, Any] = {}
        for parameter in inspect.signature(inspect.unwrap(action)).parameters.values():
            if parameter.kind in {parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL}:
                continue
            if parameter.name in given or parameter.default is parameter.empty:
                keyword[parameter.name] = given[parameter.name] if parameter.name in given else world.value(parameter.name)
        try:
            action(*keyword.values()) if name.startswith("ui.settings") else action(**keyword)
        except (NotPermittedError, AssertionError) as error:
            return str(error)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        questions.settle(10.0)
        results = [asked.progress for asked in st.session_state.get(questions.ASKED, {}).values()]
        return repr([*(value for key, value in st.session_state.items() if key != "attempt"), results])

    at = AppTest.from_function(script, default_timeout=30)
    at.session_state["attempt"] = attempt
    at.run()
    assert not at.exception, at.exception[0].stack_trace
    return f"{at.session_state.get('outcome', '')}{[one.value for one in at.error]}"


def typed(world: World) -> None:
    """Puts into the tab's fields what a browser may send."""
    st.session_state.update(
        {
            TYPED: "typed-mine",
            "days": 1,
            view_state.TAKEN_IN: (b"", Playbook.from_text("## mine\n[a-00001] helpful=0 harmful=0 :: mine\n")),
            "import_into": "finance",
            "url": "http://127.0.0.1:9/v1",
            api.NAME: "mine",
            api.CHOSEN: ["administer"],
            build_actions.EDITOR: {"acts": [{"number": 1, "kind": "remove", "agent": "critic"}]},
            "team_files": [SimpleNamespace(name="mine/root_agent.yaml", getvalue=lambda: b"name: mine")],
            "copied": DONE,
            "lab_file": SimpleNamespace(name="mine.csv", getvalue=lambda: b"question,answer\n1,2\n"),
            "lab_pasted": "question,answer\n1,2",
            owner.FIELD: "guess",
            "links_of": ("session", DONE, world.session),
            links.ROLE: LinkRole.CONTINUE,
            links.END: datetime.now(UTC).date() + timedelta(7),
            playground_actions.MESSAGE: "mine",
            lab_actions.DESCRIPTION: LAB_DEMOS["race"].description,
            settings_actions._UNDO: partial(settings_actions._change_back, {"model": "gemini-pro-latest"}),
            case_actions.NAME: "mine",
            case_actions.DRAFT: {"case": CASE, "revision": None, "rows": [(0, "answer_contains", {})], "mark": 1},
            case_actions.field_key(1, 0, "text"): "mine",
            f"new_session_state_{DONE}": '{"app:mine": 1}',
            "import_session_mask": True,
            "new_session_id": "mine",
        }
    )  # fmt: skip


def test_every_action_of_a_script_is_in_these_tables():
    tables = {name.partition(" ")[0] if name.count(" ") == 1 and "asks" not in name else name for name in REFUSED}
    assert script_actions() - tables - LOOKS - ELSEWHERE == set()
    assert (tables | LOOKS | ELSEWHERE) - script_actions() == set()


def test_what_is_not_refused_to_a_role_is_what_the_table_permits():
    permitted = {(name, role) for name in REFUSED for role in Role} - set(REFUSALS)
    assert {role for _, role in permitted} == {Role.OWNER, Role.AUTHOR, Role.USER}, "others change nothing of the owner's"
    for name, role in permitted:
        right = RIGHTS[REFUSED[name][0]][role]
        assert right is Extent.ALL or (right is Extent.OWN and name in MAKES)


@pytest.mark.parametrize(("name", "role"), REFUSALS)
def test_what_others_may_not_do_is_refused_and_changes_nothing(world, visit, monkeypatch, name, role):
    action, given = REFUSED[name]
    arguments, folder = given(world), runs.database().parent
    before, models = stored(folder), world.manager.models.preferences
    visit()
    ask_as(monkeypatch, BY_ROLE[role])
    told = tried(world, name, arguments)
    first = {Action.READ_SESSION, Action.READ_PLAYBOOK, Action.READ_LAB, Action.RUN}  # who may not is told so
    refused = {action} if permits(BY_ROLE[role], Action.READ_SESSION, of=OWNER.id) else {action, *first}
    assert any(f"{role} may not {one.value}" in told for one in refused), told
    assert stored(folder) == before
    assert world.manager.models.preferences == models
    assert world.manager.pending("asking") == [world.call]


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_what_only_looks_changes_nothing(world, visit, name):
    before, folder = stored(runs.database().parent), runs.database().parent
    visit()
    tried(world, name, {"target": None, "name": "finance"} if "actions" not in name else {})
    assert stored(folder) == before


def test_a_browser_cannot_say_that_it_is_the_owner(visit):
    """State of the script is set by the script alone: a value for a widget that was never drawn is nobody's."""
    visit()
    at = AppTest.from_function(script, default_timeout=30)
    at.session_state["attempt"] = owner.is_owner
    at.run()
    assert at.session_state["outcome"] is False
    assert owner_token.IS_OWNER not in at.session_state
