"""Streamlit's undocumented parts still do what they are used for. Those that take a browser are among the journeys."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime, app_session, runtime
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from ui.dependencies import streamlit_private
from ui.web.streamlit_sessions import TabSessions


def context() -> Any:
    found = get_script_run_ctx()
    assert found is not None
    return found


def clicked(callback: Callable[[], None]) -> AppTest:
    """A page with one button, after it was clicked."""

    def script(callback: "Callable[[], None]") -> None:  # noqa: UP037  run without this module's imports
        import streamlit as st

        from ui.dependencies import streamlit_private

        st.button("Do", key="do", on_click=callback)
        st.text(str(streamlit_private.is_history_navigation()))

    return AppTest.from_function(script, args=(callback,)).run().button(key="do").click().run()


def ask_meanwhile(**request: Any) -> None:
    """What a browser does that sends a request while a callback runs."""
    context().script_requests.request_rerun(RerunData(page_script_hash=context().page_script_hash, **request))


def test_a_callback_is_ended_halfway_by_a_request_unless_requests_are_held():
    def halfway() -> None:
        ask_meanwhile()
        st.session_state["first"] = True
        st.session_state["second"] = True

    def held() -> None:
        with streamlit_private.requests_held():
            halfway()

    assert "second" not in clicked(halfway).session_state
    assert "second" in clicked(held).session_state


def test_a_click_counts_though_a_request_follows_at_once(monkeypatch):
    """Two requests within milliseconds: the second one comes when the first is about to be answered."""
    ready = ScriptRequests.on_scriptrunner_ready
    clicks: list[str] = []

    def second_comes(requests: ScriptRequests) -> Any:
        taken = ready(requests)
        data = taken.rerun_data if taken.type is ScriptRequestType.RERUN else None
        if data and data.widget_states and any(widget.trigger_value for widget in data.widget_states.widgets):
            requests.request_rerun(RerunData(widget_states=WidgetStates(), page_script_hash=data.page_script_hash))
        return taken

    monkeypatch.setattr(ScriptRequests, "on_scriptrunner_ready", second_comes)
    clicked(lambda: clicks.append("lost"))
    assert not clicks, "Streamlit answers each request by now: answer_each_request can go"

    monkeypatch.setattr(
        SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun
    )  # put back at the end
    streamlit_private.answer_each_request()
    clicked(lambda: clicks.append("counted"))
    assert clicks == ["counted"]


def test_going_back_is_told_to_the_script_that_it_causes_and_to_no_other():
    at = clicked(lambda: ask_meanwhile(is_history_navigation=True))
    assert at.text[0].value == "True"
    assert at.run().text[0].value == "False"


def test_every_page_has_a_hash_of_its_own(tmp_path):
    main = tmp_path / "main.py"
    main.write_text(
        "import streamlit as st\n"
        "from ui.dependencies import streamlit_private\n"
        "st.navigation([st.Page('one.py'), st.Page('two.py')])\n"
        "st.text(streamlit_private.page_hash())\n"
    )
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("")
    at = AppTest.from_file(main).run()
    first = at.text[0].value
    assert first
    assert at.run().text[0].value == first
    assert at.switch_page("two.py").run().text[0].value not in {"", first}


def test_what_a_trigger_sent_is_read_though_its_request_also_leaves_the_page(tmp_path):
    """As when a message is sent and a link clicked before the server looks: `st.session_state` then has no component."""
    main = tmp_path / "main.py"
    main.write_text(
        "import streamlit as st\n"
        "from streamlit.components import v2\n"
        "from ui.dependencies.streamlit_private import sent_with\n"
        "def say():\n"
        "    st.session_state['said'] = [sent_with('box', 'say'), sent_with('ox', 'say'), sent_with('box', 'other')]\n"
        "    st.session_state['is_found'] = 'box' in st.session_state\n"
        "page = st.navigation([st.Page('one.py'), st.Page('two.py')])\n"
        "v2.component('box', js='export default () => {}')(key='box', on_say_change=say)\n"
        "st.session_state['after'] = sent_with('box', 'say')\n"
    )
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("")
    at = AppTest.from_file(main).run()
    assert at.session_state["after"] is None
    [events] = [
        name for name in at.session_state._state._state._new_widget_state.widget_metadata if name.endswith("-box__events")
    ]

    def request(*, page: str) -> None:
        states = WidgetStates()
        state = states.widgets.add()
        state.id, state.json_trigger_value = events, json.dumps([{"event": "say", "value": "hello"}])
        at._page_hash = page
        at._run(states)

    request(page=at._page_hash)
    assert (at.session_state["said"], at.session_state["is_found"]) == (["hello", None, None], True)
    request(page=at.switch_page("two.py")._page_hash)
    assert at.session_state["said"] == ["hello", None, None]
    assert not at.session_state["is_found"], "Streamlit keeps the component by now: sent_with can go"
    at.run()
    assert at.session_state["after"] is None


def test_without_a_script_there_is_no_page_and_nobody_went_back():
    assert streamlit_private.page_hash() == ""
    assert not streamlit_private.is_history_navigation()


def test_an_upload_that_is_freed_is_kept_no_more():
    def script() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from ui.dependencies.streamlit_private import free_upload

        file = st.file_uploader("File", key="file")
        if file is not None:
            context = get_script_run_ctx()
            kept = lambda: len(context.uploaded_file_mgr.get_files(context.session_id, [file.file_id]))  # noqa: E731
            before = kept()
            free_upload(file)
            st.text(f"{before} {kept()}")

    at = AppTest.from_function(script).run()
    at.file_uploader(key="file").set_value(("notes.txt", b"some bytes", "text/plain"))
    assert at.run().text[0].value == "1 0"


BACKEND = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", window.location.href).href}</script>'
INDEX = (streamlit_private.STATIC / "index.html").read_text(encoding="utf-8")


def test_the_index_page_is_streamlits_with_the_modules_of_the_first_elements():
    page = streamlit_private.index_page().replace(BACKEND, "", 1)
    links = re.findall(r'<link rel="modulepreload" crossorigin href="./static/js/[\w.-]+">\n', page)
    added = [link for link in links if link.strip() not in INDEX]
    assert page.replace("".join(added), "", 1) == INDEX
    assert len(added) > len(streamlit_private.ELEMENTS)
    for name in streamlit_private.element_modules():
        assert page.count(name) == 1, "asked for once"
        assert (streamlit_private.STATIC / "static" / "js" / name).is_file()


def test_each_element_has_a_module_and_imports_are_found():
    modules = streamlit_private.element_modules()
    for element in streamlit_private.ELEMENTS:
        assert sum(name.startswith(f"{element}.") for name in modules) == 1, element
    assert any(name.startswith("recordbatch.") for name in modules), "imported by what BidiComponent imports"


def test_a_page_says_where_the_server_is_and_runs_a_script_before_streamlits():
    page = streamlit_private.index_page("let first;")
    assert page.index(BACKEND) < page.index("<script>let first;</script>") < page.index("<script ")
    scripts = (path.read_text(encoding="utf-8") for path in streamlit_private.STATIC.rglob("*.js"))
    assert any("__streamlit" in script and "BACKEND_BASE_URL" in script for script in scripts), "nothing reads it"


def test_streamlit_keeps_sessions_in_the_storage_that_is_set(tmp_path, monkeypatch):
    monkeypatch.setattr(Runtime, "_instance", None)  # a process has one at most
    (tmp_path / "page.py").write_text("")
    app = st.App(tmp_path / "page.py")
    app._runtime = app._create_runtime()
    storage = TabSessions(seconds=60)
    streamlit_private.set_session_storage(app, storage)
    monkeypatch.setattr(storage, "list", lambda: ["kept"])
    assert app._runtime._session_mgr.list_sessions() == ["kept"]


SETTINGS = """
import json
import streamlit as st
from ui.dependencies.streamlit_private import load_options, set_default_option

load_options({"server.port": 1234})
for name, value in {"server.port": 1, "server.address": "127.0.0.2", "server.baseUrlPath": "below"}.items():
    set_default_option(name, value, "a test")
print(json.dumps([st.get_option(name) for name in ("server.port", "server.address", "server.baseUrlPath")]))
"""


def test_options_go_before_files_and_both_before_defaults(tmp_path):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text('[server]\nport = 4321\naddress = "127.0.0.3"\n')
    command = [sys.executable, "-c", SETTINGS]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == [1234, "127.0.0.3", "below"]


THEME = """
from unittest import mock
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from ui.dependencies.streamlit_private import remember_theme
from ui.shell import appearance

def theme():
    made = CustomThemeConfig()
    for part, section in (made, ""), (made.light, ".light"), (made.dark, ".dark"), (made.light.sidebar, ".light.sidebar"):
        app_session._populate_theme_msg(part, f"theme{section}")
    return made

appearance.apply()
usual = theme()
remember_theme()
assert theme() == usual
with mock.patch.object(config, "get_options_for_section", side_effect=AssertionError("read again")):
    assert theme() == usual
assert usual.light.primary_color and not usual.HasField("sidebar")
"""


def test_a_remembered_theme_is_the_one_that_streamlit_sends_and_is_read_once():
    subprocess.run([sys.executable, "-c", THEME], check=True, timeout=60)


def test_a_field_of_the_user_is_what_st_user_has():
    def script() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from ui.dependencies.streamlit_private import user_field

        found = get_script_run_ctx()
        assert found is not None
        found.user_info["who"] = "somebody"
        assert user_field("who") == st.user.to_dict()["who"] == "somebody"
        assert user_field("nothing") is None

    assert not AppTest.from_function(script).run().exception
    assert streamlit_private.user_field("who") is None


@pytest.mark.anyio
async def test_streamlits_loop_yields_after_some_messages_and_not_after_each(monkeypatch):
    monkeypatch.setattr(runtime, "asyncio", asyncio)
    assert inspect.getsource(runtime).count("asyncio.sleep(0)") == 1, "after each message"
    streamlit_private.send_in_bulk()
    rounds = 0

    async def count() -> None:
        nonlocal rounds
        while True:
            await asyncio.sleep(0)
            rounds += 1

    counting = asyncio.create_task(count())
    for _ in range(10 * streamlit_private.BULK):
        await runtime.asyncio.sleep(0)
    counting.cancel()
    assert 9 <= rounds <= 11
    assert runtime.asyncio.wait is asyncio.wait


class TabOf(app_session.AppSession):
    """A tab's session of which only the loop is used."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop = loop

    def __del__(self) -> None:
        pass


@pytest.mark.anyio
async def test_a_script_wakes_the_loop_once_for_many_messages_which_stay_in_order(monkeypatch):
    monkeypatch.setattr(app_session.AppSession, "_call_soon_on_event_loop", app_session.AppSession._call_soon_on_event_loop)
    streamlit_private.pass_on_in_bulk()
    loop, woken, heard = asyncio.get_running_loop(), 0, []
    wake = loop.call_soon_threadsafe

    def count(*given, **more):
        nonlocal woken
        woken += 1
        return wake(*given, **more)

    monkeypatch.setattr(loop, "call_soon_threadsafe", count)
    tab = TabOf(loop)
    for last in (99, 199):
        done = asyncio.Event()
        for number in range(last - 99, last + 1):
            tab._call_soon_on_event_loop(partial(heard.append, number))
        tab._call_soon_on_event_loop(done.set)
        await done.wait()
    assert heard == list(range(200))
    assert woken == 2


@pytest.mark.anyio
async def test_a_message_that_cannot_be_handled_takes_no_other_with_it(monkeypatch):
    monkeypatch.setattr(app_session.AppSession, "_call_soon_on_event_loop", app_session.AppSession._call_soon_on_event_loop)
    streamlit_private.pass_on_in_bulk()
    loop, failed, done = asyncio.get_running_loop(), [], asyncio.Event()
    loop.set_exception_handler(lambda _loop, context: failed.append(context["exception"]))
    tab = TabOf(loop)
    for call in (lambda: 1 / 0, done.set):
        tab._call_soon_on_event_loop(call)
    await done.wait()
    assert [type(error) for error in failed] == [ZeroDivisionError]
