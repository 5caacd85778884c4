"""The section on MCP servers: those that agents may use by name. It edits the owner's file of them."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

import streamlit as st

from agents import PersonError
from agents.runs import RunManager
from ui.settings import problems, questions
from ui.settings.actions import SettingError, action, say
from ui.state import runs
from ui.text.labels import many, plain

EDITED = "mcp_edited"
"""The server whose form is open, in this tab."""
NAME = "mcp_name"
KEPT = "••••••"
"""Stands in the form for a value that may be a key; a value left so stays as it is."""
_WHAT, _MORE = "mcp_what", "mcp_more"


def show(manager: RunManager) -> None:
    """Draws a card for each server and the form for a new one."""
    servers = manager.mcp_servers
    st.caption(
        "Agents and teams use these by name, e.g. `McpToolset(connection_params='files')`. A program is started on this "
        "machine, with your rights. The list is a file as desktop clients have it; another one: `playground --mcp FILE`, "
        "or `PLAYGROUND_MCP`."
    )
    st.code(str(servers.file), language=None, wrap_lines=True)
    problems.show("mcp")
    try:
        entries = servers.entries
    except PersonError as error:
        st.error(f"**The list of MCP servers cannot be read.** {plain(str(error))}", icon=":material/extension_off:")
        return
    try:
        named = servers.named
    except PersonError as error:  # e.g. a variable is not set; such a server can be changed here
        st.warning(plain(str(error)), icon=":material/extension_off:")
        named = {}
    questions.settle()
    for name, entry in entries.items():
        with st.container(border=True, key=f"mcp_server_{name}", gap="xsmall"):
            _card(name, entry, [tool.name for tool in servers.listed(named[name])] if name in named else None)
    if not entries:
        st.caption("There are no servers yet.")
    with st.container(border=True, key="mcp_new"):
        st.subheader("Add a server", anchor=False)
        _form("", {})


def _card(name: str, entry: Any, tools: list[str] | None) -> None:
    """Draws a server; `tools` is None where it cannot be used."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(plain(name), anchor=False, width="content")
        if not isinstance(entry, dict):
            st.caption("is no server: it has to be an object with a command or a url")
        st.space("stretch")
        if tools is not None:
            st.button("Test", key=f"test_mcp_{name}", type="tertiary", on_click=test, args=("mcp", name))
        if isinstance(entry, dict):
            st.button("Edit", key=f"edit_mcp_{name}", type="tertiary", on_click=edit, args=(name,))
            switch = "Enable" if _is_off(entry) else "Disable"
            st.button(switch, key=f"switch_mcp_{name}", type="tertiary", on_click=turn, args=("mcp", name))
        st.button("Remove", key=f"remove_mcp_{name}", type="tertiary", on_click=remove, args=("mcp", name))
    if not isinstance(entry, dict):
        return
    if st.session_state.get(EDITED) == name:
        _form(name, cast("dict[str, Any]", entry))
        return
    st.code(_what(entry), language=None, wrap_lines=True)
    asked = questions.asked(f"mcp_{name}")
    result: dict[str, Any] | None = {"ok": True} if asked is None else asked.progress
    if result is None:
        questions.progress(f"mcp_{name}", "Asking it for its tools")
    elif not result["ok"]:
        st.error(plain(result["error"]), icon=":material/extension_off:")
    elif _is_off(entry):
        st.caption("Disabled: agents that name it are told so.")
    elif tools:
        st.caption(f"{many(len(tools), 'tool')}: {plain(', '.join(tools))}")
    else:
        st.caption("Its tools are listed with the first run that uses it, or by *Test*.")


def _form(name: str, entry: Mapping[str, Any]) -> None:
    """Draws the fields of a server; "" for a new one."""
    with st.form(f"mcp_form_{name}", border=False):
        if not name:
            st.text_input("Name", key=NAME, max_chars=64, placeholder="e.g. files", width=260)
        st.text_input(
            "Command or address",
            key=f"{_WHAT}_{name}",
            value=_what(entry),
            placeholder="npx -y @modelcontextprotocol/server-filesystem .   or   https://mcp.example.com/mcp",
        )
        st.text_area(
            "Variables of the program, or headers",
            key=f"{_MORE}_{name}",
            value="\n".join(f"{key}={_hidden(value)}" for key, value in _more(entry).items()),
            placeholder="API_KEY=${MY_KEY}   or   Authorization=Bearer ${MY_TOKEN}",
            help="One a line, NAME=value. ${NAME} stands for a variable of this process. What is dotted stays as it is.",
            height=80,
        )
        with st.container(horizontal=True, gap="small"):
            words = "Save" if name else "Add it"
            st.form_submit_button(words, key=f"keep_mcp_{name}", type="primary", on_click=keep, args=("mcp", name))
            if name:
                st.form_submit_button("Cancel", key=f"close_mcp_{name}", on_click=edit, args=("",))


def _is_off(entry: Mapping[str, Any]) -> bool:
    return entry.get("disabled") is True


def _what(entry: Mapping[str, Any]) -> str:
    args = entry.get("args")
    words = [entry.get("command"), *(cast("list[Any]", args) if isinstance(args, list) else ())]
    return str(entry["url"]) if "url" in entry else shlex.join(map(str, words)) if words[0] else ""


def _more(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    given = entry.get("headers" if "url" in entry else "env")
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {}


def _place(entry: Mapping[str, Any]) -> object:
    """The server or program that its keys are for."""
    return urlsplit(str(entry["url"]))[:2] if "url" in entry else entry.get("command")


def _hidden(value: Any) -> str:
    return str(value) if "${" in str(value) else KEPT


def edit(name: str) -> None:
    """Opens the form of a server; "" closes it."""
    st.session_state[EDITED] = name


@action
def keep(_where: str, name: str) -> None:
    """Adds the server that the form describes, or changes one; fields that the form does not have stay."""
    fields = st.session_state
    entries = runs.manager().mcp_servers.entries
    new = name or (fields.get(NAME) or "").strip()
    if not name and new in entries:
        raise SettingError(f"There is a server {new!r} already. Edit it, or take another name.")
    before = entries.get(name, {})
    entry = _entry(before, fields.get(f"{_WHAT}_{name}") or "", fields.get(f"{_MORE}_{name}") or "")
    _change(f"{new} is saved.", new, entry)
    fields[EDITED] = ""
    if not name:
        for key in (NAME, f"{_WHAT}_", f"{_MORE}_"):
            fields[key] = ""


def _change(text: str, name: str, entry: Mapping[str, Any] | None) -> None:
    """Changes a server of the file, or removes it (None), and leaves a notice with an undo."""
    servers = runs.manager().mcp_servers
    before = servers.entries.get(name)
    servers.change(name, entry)
    questions.forget(f"mcp_{name}")
    say(text, undo=partial(_change, "That is taken back.", name, before))


def _entry(before: Mapping[str, Any], what: str, more: str) -> dict[str, Any]:
    """The entry that the fields describe.

    Raises:
        SettingError: They describe none.
    """
    kept = {key: value for key, value in before.items() if key not in {"url", "headers", "command", "args", "env"}}
    what, values = what.strip(), dict[str, Any]()
    if what.startswith(("http://", "https://")):
        entry = {**kept, "url": what, "headers": values}
    else:
        kept.pop("type", None)
        try:
            command, *args = shlex.split(what) or [""]
        except ValueError as error:
            raise SettingError(f"The command cannot be read: {error}. Close each quotation mark.") from None
        entry = {**kept, "command": command, "args": args, "env": values}
    for line in filter(None, map(str.strip, more.splitlines())):
        key, found, value = (part.strip() for part in line.partition("="))
        if not found:
            raise SettingError(f"The line {line[:40]!r} has no “=”. Write NAME=value.")
        if value == KEPT and (_place(entry) != _place(before) or key not in _more(before)):
            raise SettingError(f"Write the value of {key[:80]} again: a key goes only to the server that it was given for.")
        values[key] = _more(before)[key] if value == KEPT else value
    return entry


@action
def turn(_where: str, name: str) -> None:
    """Disables a server, or enables it again."""
    entry = runs.manager().mcp_servers.entries[name]
    kept = {key: value for key, value in entry.items() if key != "disabled"}
    off = _is_off(entry)
    _change(f"{name} is {'enabled' if off else 'disabled'}.", name, kept if off else {**kept, "disabled": True})


@action
def remove(_where: str, name: str) -> None:
    """Removes a server from the list."""
    _change(f"{name} is removed.", name, None)


@action
def test(_where: str, name: str) -> None:
    """Asks a server for its tools, in the background."""
    servers = runs.manager().mcp_servers
    questions.ask(f"mcp_{name}", name, partial(_ask, servers, servers.params_of(name)))


def _ask(servers: Any, params: Any) -> dict[str, Any]:
    asyncio.run(servers.tools(params))
    return {"ok": True}
