"""Undocumented parts of Streamlit that the front end uses, each with its reason.

A new version of Streamlit may change any of them: `pyproject.toml` has an upper bound, and each has a test in
`tests/ui/dependencies/test_streamlit_private.py` or, if it takes a browser, `tests/journeys/test_streamlit_private.py`.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import streamlit
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime import runtime as sending
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile

__all__ = [
    "ROUTES",
    "SELECTORS",
    "STATIC",
    "SessionInfo",  # a browser tab's session, as Streamlit passes it to a storage
    "SessionStorage",  # what `set_session_storage` takes
    "UploadedFile",  # a file as a widget gives it
    "answer_each_request",
    "free_upload",
    "has_script",
    "index_page",
    "is_history_navigation",
    "load_options",
    "page_hash",
    "pass_on_in_bulk",
    "remember_theme",
    "requests_held",
    "send_in_bulk",
    "sent_with",
    "set_default_option",
    "set_option",
    "set_session_storage",
    "trust_header",
    "uploads_by_tab",
    "uploads_held",
    "user_field",
    "without_agent_api",
]

SELECTORS: Mapping[str, str] = {
    # The page
    "script": 'script[src*="static/js/"]',  # Streamlit's own script, whose URL tells the base path
    "app": '[data-testid="stApp"]',  # everything
    "main": '[data-testid="stMain"]',  # what scrolls beside the sidebar, on a page without a chat input
    "main-block": '[data-testid="stMainBlockContainer"]',  # the page in it, without the bottom
    "bottom": '[data-testid="stBottom"]',  # the fixed area that holds the chat input
    "bottom-block": '[data-testid="stBottomBlockContainer"]',  # its content
    "header": '[data-testid="stHeader"]',  # the bar over the page, with the menu
    "status": '[data-testid="stStatusWidget"]',  # "running … Stop" in it, while the script runs
    "sidebar": '[data-testid="stSidebar"]',  # the side bar
    "sidebar-header": '[data-testid="stSidebarHeader"]',  # the logo and the button that collapses the sidebar
    "expand-sidebar": '[data-testid="stExpandSidebarButton"]',  # present while the sidebar is collapsed
    # Containers of elements
    "vertical-block": '[data-testid="stVerticalBlock"]',  # elements below each other
    "column": '[data-testid="stColumn"]',  # one of `st.columns`
    "element": '[data-testid="stElementContainer"]',  # around each element
    # Elements
    "markdown": '[data-testid="stMarkdownContainer"]',  # text, of labels too
    "caption": '[data-testid="stCaptionContainer"]',  # `st.caption`
    "page-link": 'a[data-testid="stPageLink-NavLink"]',  # the link of `st.page_link`
    "primary-button": 'button:is([kind="primary"], [kind="primaryFormSubmit"])',  # a filled button, also a form's
    "tertiary-button": 'button[kind="tertiary"]',  # a button without frame
    "popover-button": '[data-testid="stPopoverButton"]',  # what opens `st.popover`
    "tooltip": '[data-testid="stTooltipContent"]',  # the text of `help=`, while it shows
    "chat-input": '[data-testid="stChatInputTextArea"]',  # where the message is typed
    "chat-send": '[data-testid="stChatInputSubmitButton"]',  # the button that sends it
}
"""Name → CSS selector of an element that Streamlit draws: a theme cannot set a layout. Style sheets write `:--name`.

Selectors that no style sheet uses are used by scripts in the browser. The session view writes those that it uses itself, in
`browser/js/streamlit_page.js`; a test keeps them equal to these.
"""

STATIC = Path(streamlit.__file__).with_name("static")
"""Folder of Streamlit's page. What the page loads is in its folder `static`, under names that change with the content."""

ROUTES = (
    "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config", "/_stcore/stream", "/_stcore/upload_file/",
    "/_stcore/bidi-components/", "/media/", "/component/", "/auth/login", "/auth/logout", "/oauth2callback",
)  # fmt: skip
"""Streamlit's routes, as its pages use them. Its agent API is none of them: the app has its own."""

ELEMENTS = ("PageLink", "Html", "Button", "Selectbox", "BidiComponent", "ChatInput")
"""Modules of the elements that the Playground's page begins with."""

BULK = 25
"""Messages that are sent at once; a tab's queue takes 500."""

_YIELD = "on_scriptrunner_yield"
_IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]{1,100})"')
_PRELOAD = '<link rel="modulepreload" crossorigin href="{}">\n'
_TRIGGERS = {"trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value"}
_BACKEND = """<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", window.location.href).href}</script>"""


@contextmanager
def requests_held() -> Iterator[None]:
    """Holds back the browser tab's requests; they are served afterwards. Nested or without a browser it has no effect.

    Streamlit ends a callback halfway at the next request of the tab, and has no option against it. Its script runner checks
    for requests with `ScriptRequests.on_scriptrunner_yield`, which is shadowed here.
    """
    context = get_script_run_ctx()
    requests = context.script_requests if context else None
    if requests is None or _YIELD in vars(requests):
        yield
        return
    setattr(requests, _YIELD, lambda: None)
    try:
        yield
    finally:
        delattr(requests, _YIELD)


def answer_each_request() -> None:
    """Has Streamlit call the callbacks of a request before it looks for the next one.

    It looks for one first, and drops what it was about to answer. A browser sends two requests within a few milliseconds
    where a click also ends the typing in a component: the click was then lost.
    """

    def on_script_will_rerun(self: SafeSessionState, *request: Any, **options: Any) -> None:
        with self._lock:
            self._state.on_script_will_rerun(*request, **options)

    SafeSessionState.on_script_will_rerun = on_script_will_rerun


def page_hash() -> str:
    """Streamlit's hash of the page whose script runs; "" without one. `st.navigation` returns it to the main script only."""
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


def is_history_navigation() -> bool:
    """Whether the browser's Back or Forward button caused this script run. No documented call tells that."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def came_with_others() -> bool:
    """Whether the request that a trigger's callback answers has other triggers, too, such as a button's.

    Streamlit's page sends all triggers of one moment as one request, and for the first fragment among them alone: what the
    others would have the page redraw is not redrawn. No documented call tells that.
    """
    context = get_script_run_ctx()
    if context is None:
        return False
    widgets = context.session_state._state._new_widget_state
    kinds = {name: metadata.value_type for name, metadata in widgets.widget_metadata.items()}
    return sum(bool(widgets.get(name)) for name in widgets if kinds.get(name) in _TRIGGERS) > 1


def sent_with(key: str, trigger: str) -> Any:
    """What a component's trigger sent with the request whose callback runs; None for nothing.

    Streamlit drops the components of a page that is left before it calls the callbacks of a request. One that has a trigger
    and leaves the page, as two clicks at a time make it, then has no component: it is read from the request itself.
    """
    component, context = streamlit.session_state.get(key), get_script_run_ctx()
    if component is not None or context is None:
        return (component or {}).get(trigger)
    widgets = context.session_state._state._new_widget_state
    events = [event for name in widgets if name.endswith(f"-{key}__events") for event in widgets.get(name) or ()]
    found = [event.get("value") for event in events if isinstance(event, dict) and event.get("event") == trigger]
    return found[-1] if found else None


def free_upload(file: UploadedFile) -> None:
    """Frees the bytes of an uploaded file, which Streamlit keeps while the tab is open.

    Args:
        file: Value of an `st.file_uploader` that is not drawn again.
    """
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)


@cache
def index_page(script: str = "", preloaded: tuple[str, ...] = ()) -> str:
    """Streamlit's HTML page, which also preloads the modules of `ELEMENTS`.

    Without that, the browser asks for a module when the first element of its kind is drawn, and then for its imports.

    `window.__streamlit` names the app's root: the folder of every page's URL, whatever path a proxy serves it below. A page
    such as `/gallery` would first ask below its own URL (`/gallery/_stcore/…`), be refused, and wait half a second.

    Args:
        script: JavaScript that runs before Streamlit's own.
        preloaded: Addresses of more modules to preload, relative to the app's root.
    """
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    modules = [f"./static/js/{name}" for name in element_modules() if name not in page]
    links = "".join(map(_PRELOAD.format, (*modules, *preloaded)))
    page = page.replace("</head>", f"{links}</head>", 1)
    own = f"<script>{script}</script>" if script else ""
    return page.replace("<head>", f"<head>{_BACKEND}{own}", 1)


def element_modules() -> list[str]:
    """File names of the modules of `ELEMENTS` and of all that they import; without what Streamlit no longer has."""
    folder = STATIC / "static" / "js"
    waiting = [path.name for element in ELEMENTS for path in folder.glob(f"{element}.*.js")]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in found and (folder / name).is_file():
            found[name] = None
            waiting += _IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
    return list(found)


def set_session_storage(app: streamlit.App, storage: SessionStorage) -> None:
    """Makes a started app keep the sessions of closed tabs in `storage`; `st.App` takes no storage."""
    runtime: Any = app._runtime
    runtime._session_mgr._session_storage = storage


def load_options(options: Mapping[str, Any]) -> None:
    """Reloads Streamlit's settings with options that override files; only `streamlit run` and `App.run` take options."""
    from streamlit.web import bootstrap

    bootstrap.load_config_options(dict(options))


def set_option(name: str, value: object) -> None:
    """Sets a Streamlit setting; `st.set_option` takes few, and only in scripts."""
    config.set_option(name, value)


def without_agent_api() -> None:
    """Turns off Streamlit's agent API, which would let programs act as a browser tab that shows no token."""
    config.set_option("server.enableAgentApi", False)


def set_default_option(name: str, value: object, source: str) -> None:
    """Sets a Streamlit setting that no flag, variable or file sets.

    Args:
        name: The setting, e.g. "theme.light.primaryColor".
        value: Its value.
        source: Origin of the value, for `streamlit config show`.
    """
    if not config.is_manually_set(name):
        config.set_option(name, value, source)


def remember_theme() -> None:
    """Has Streamlit read the theme once: it reads 300 settings for each script run, in the loop that serves all tabs."""

    @cache
    def made(section: str) -> CustomThemeConfig:
        theme = CustomThemeConfig()
        _read_theme(theme, section)
        return theme

    def populate(theme: CustomThemeConfig, section: str = "theme") -> None:
        if made(section).ByteSize():  # merging nothing would set the field
            theme.MergeFrom(made(section))

    app_session._populate_theme_msg = populate


_read_theme = app_session._populate_theme_msg


def send_in_bulk() -> None:
    """Has Streamlit's sending loop yield after some messages; it yields after each, with a call that only it makes.

    It sends to one tab after the other. With fifty, a round of the event loop for each message adds up: the last tab gets
    its first message after ten seconds, when all others have all of theirs.
    """
    sent = count(1)

    async def sleep(delay: float) -> None:
        if delay or not next(sent) % BULK:
            await asyncio.sleep(delay)

    sending.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": sleep})  # pyright: ignore[reportPrivateImportUsage]


def pass_on_in_bulk() -> None:
    """Has a page's script wake the loop that serves all tabs once for many messages; Streamlit wakes it for each.

    Waking it is a system call, after which the script waits until all others that compute have had their turn. A page has
    a hundred messages.
    """
    lock = threading.Lock()

    def wait(tab: app_session.AppSession, waiting: list[Callable[[], None]]) -> None:
        tab._event_loop.call_later(PAUSE, drain, tab, waiting)

    def drain(tab: app_session.AppSession, waiting: list[Callable[[], None]]) -> None:
        with lock:
            calls = waiting.copy()
            waiting.clear()
        for call in calls:
            tab._event_loop.call_soon(call)

    def call_soon(self: app_session.AppSession, callback: Callable[[], None]) -> None:
        with lock:
            waiting: list[Callable[[], None]] = self.__dict__.setdefault(_WAITING, [])
            waiting.append(callback)
            is_first = len(waiting) == 1
        if is_first:
            _wake(self, partial(wait, self, waiting))

    app_session.AppSession._call_soon_on_event_loop = call_soon


_wake = app_session.AppSession._call_soon_on_event_loop
_WAITING = "_playground_waiting"
PAUSE = 0.003
"""Seconds for which messages of a script are collected."""


def has_script() -> bool:
    """Whether the thread runs a page's script; `st.user` and `st.session_state` warn elsewhere."""
    return get_script_run_ctx(suppress_warning=True) is not None


def trust_header(header: str, field: str) -> None:
    """Puts a header of the tab's connection into `st.user`, beside those of the user's settings.

    `server.trustedUserHeaders` is read from a file or a flag, and the user's must stay.

    Args:
        header: Its name.
        field: The key in `st.user`.
    """
    given: Any = config.get_option("server.trustedUserHeaders")
    others = {name: key for name, key in dict(given or {}).items() if key != field}
    config.set_option("server.trustedUserHeaders", {**others, header: field}, "Agent Playground")


def user_field(field: str) -> Any:
    """A field of `st.user`, which itself looks for files of secrets at each use; None without it."""
    context = get_script_run_ctx()
    return context.user_info.get(field) if context else None


def uploads_held() -> int:
    """Bytes of all uploads that Streamlit holds in memory; it has a limit for each file only."""
    return sum(uploads_by_tab().values())


def uploads_by_tab() -> dict[str, int]:
    """The same by the id of the tab's session."""
    from streamlit import runtime

    if not runtime.exists():
        return {}
    held: Any = runtime.get_instance()._uploaded_file_mgr
    files = held.file_storage.copy() if isinstance(held, MemoryUploadedFileManager) else {}
    return {tab: sum(len(file.data) for file in list(held.values())) for tab, held in files.items()}
