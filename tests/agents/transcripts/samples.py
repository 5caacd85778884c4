"""Synthetic sessions of coding agents, in the form in which the programs write them."""

from __future__ import annotations

import json
from pathlib import Path

SESSION = "7d1b0c52-0000-4000-8000-000000000001"


def lines(values):
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


class Claude:
    """A session of Claude Code, line by line."""

    def __init__(self, session=SESSION, *, sidechain=False):
        self.values = []
        self.session = session
        self.sidechain = sidechain
        self.last = None
        self.count = 0

    def _line(self, type_, message, **more):
        self.count += 1
        uuid = f"{self.session[:8]}-{self.count:04d}"
        value = {
            "parentUuid": self.last,
            "isSidechain": self.sidechain,
            "userType": "external",
            "cwd": "/home/ada/shop",
            "sessionId": self.session,
            "version": "2.1.30",
            "gitBranch": "main",
            "type": type_,
            "message": message,
            "uuid": uuid,
            "timestamp": f"2026-03-01T10:{self.count // 60:02d}:{self.count % 60:02d}.000Z",
        } | more
        self.values.append(value)
        self.last = uuid
        return uuid

    def user(self, text, **more):
        return self._line("user", {"role": "user", "content": text}, **more)

    def answer(self, *blocks, name=None, usage=None, **more):
        usage = usage or {"input_tokens": 10, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 1000}
        name = name or f"msg_{self.count}"
        for block in blocks:
            message = {"id": name, "type": "message", "role": "assistant", "model": "claude-opus-4-6"}
            message |= {"content": [block], "stop_reason": None, "usage": {**usage, "output_tokens": 7}}
            uuid = self._line("assistant", message, requestId=f"req_{name}", **more)
        return uuid

    def result(self, call_id, text, *, error=False, **more):
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        return self._line("user", {"role": "user", "content": [block | ({"is_error": True} if error else {})]}, **more)

    def run(self, call_id, command, output, *, error=False):
        self.answer(tool_use(call_id, "Bash", {"command": command}))
        self.result(call_id, output, error=error)

    def edit(self, call_id, path, old, new, output="The file has been updated."):
        self.answer(tool_use(call_id, "Edit", {"file_path": path, "old_string": old, "new_string": new}))
        self.result(call_id, output)

    def text(self):
        return lines(self.values)


def text(said):
    return {"type": "text", "text": said}


def thinking(said):
    return {"type": "thinking", "thinking": said, "signature": "abc"}


def tool_use(call_id, name, given):
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def claude_session():
    """A question, a thought, a command that fails and one that works, an answer."""
    session = Claude()
    session.values.append({"type": "summary", "summary": "Fix the till", "leafUuid": "x"})
    session.user("Why does the till fail?")
    session.answer(thinking("Run the tests."), text("I run the tests."), tool_use("t1", "Bash", {"command": "pytest"}))
    session.result("t1", "ModuleNotFoundError: No module named 'till'", error=True)
    session.run("t2", "python -m pytest", "3 passed in 0.1s")
    session.answer(text("It passes with python -m pytest."))
    return session


def codex_session():
    """The same with Codex."""

    def line(type_, payload, second):
        return {"timestamp": f"2026-03-01T10:00:{second:02d}.000Z", "type": type_, "payload": payload}

    def message(role, text):
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    def tokens(last, total, second):
        used = {"input_tokens": last, "cached_input_tokens": 4, "output_tokens": 9, "reasoning_output_tokens": 2}
        info = {"total_token_usage": {"total_tokens": total}, "last_token_usage": {**used, "total_tokens": last + 9}}
        return line("event_msg", {"type": "token_count", "info": info, "rate_limits": {}}, second)

    def item(kind, second, **fields):
        return line("response_item", {"type": kind, **fields}, second)

    failed = {"output": "No module named 'till'", "metadata": {"exit_code": 1}}
    return [
        line("session_meta", {"id": "019c-codex", "cwd": "/home/ada/shop", "cli_version": "0.90.0", "originator": "cli"}, 0),
        line("response_item", message("user", "<environment_context>\n<cwd>/home/ada/shop</cwd></environment_context>"), 0),
        line("response_item", message("user", "Why does the till fail?"), 1),
        line("event_msg", {"type": "user_message", "message": "Why does the till fail?", "kind": "plain"}, 1),
        line("turn_context", {"cwd": "/home/ada/shop", "model": "gpt-5.3-codex", "approval_policy": "never"}, 1),
        line("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Run the tests."}]}, 2),
        line("event_msg", {"type": "agent_reasoning", "text": "Run the tests."}, 2),
        item("function_call", 3, name="shell", arguments='{"command":["pytest"]}', call_id="c1"),
        tokens(50, 59, 3),
        tokens(50, 59, 3),
        item("function_call_output", 4, call_id="c1", output=json.dumps(failed)),
        item("custom_tool_call", 5, name="apply_patch", input="*** Begin Patch", call_id="c2", status="completed"),
        item("custom_tool_call_output", 6, call_id="c2", output="Success. Updated the following files"),
        line("response_item", message("assistant", "It passes now."), 7),
        tokens(80, 148, 8),
    ]  # fmt: skip


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
