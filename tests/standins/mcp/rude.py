"""A server with the protocol of before 2026 that keeps to few rules, on standard input and output: `python rude.py HOW`.

It begins as it should, and has one tool; what a call of it does is `HOW`.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from typing import Any

NOISE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}


def answer(asked: dict[str, Any], how: str) -> None:
    method, result = asked.get("method"), {}
    if "id" not in asked:
        return
    if method == "initialize":
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "rude", "version": "1"},
        }
    elif method == "tools/list":
        schema: dict[str, Any] = {"type": "object"}
        result = {"tools": [{"name": "call", "inputSchema": schema, "annotations": {"readOnlyHint": True}}]}
        if how == "pages":
            result["nextCursor"] = "again"
        if how == "schema":
            result["tools"][0]["inputSchema"] = {"type": "object", "description": "x" * 100_000}
    elif method == "tools/call":
        result = call(how)
    else:
        tell({"id": asked["id"], "error": {"code": -32601, "message": "no"}})
        return
    tell({"id": asked["id"], "result": result})


def call(how: str) -> dict[str, Any]:
    if how == "line":
        for _ in count():
            sys.stdout.write("x" * 1_000_000)
    if how == "messages":
        for _ in count():
            sys.stdout.write(f"{json.dumps(NOISE)}\n" * 1_000)
    if how == "noise":
        sys.stdout.write("starting up...\n{not json\n\n")
    if how in ASKED:
        return ask(*ASKED[how])
    if how == "shape":
        return {"content": "none"}
    return {"content": [{"type": "text", "text": "done"}]}


SEAT = {
    "type": "object",
    "properties": {"row": {"type": "integer"}, "window": {"type": "boolean", "default": False}},
    "required": ["row"],
}
MANY = {f"field_{number}": {"type": "string"} for number in range(31)}
ASKED = {
    "form": ("elicitation/create", {"message": "Which seat?", "requestedSchema": SEAT}),
    "visit": (
        "elicitation/create",
        {"mode": "url", "message": "Sign in", "url": "https://x.example/in", "elicitationId": "1"},
    ),
    "nested": ("elicitation/create", {"message": "?", "requestedSchema": {"properties": {"a": {"type": "object"}}}}),
    "many": ("elicitation/create", {"message": "?", "requestedSchema": {"type": "object", "properties": MANY}}),
    "sample": ("sampling/createMessage", {"messages": [], "maxTokens": 5}),
    "roots": ("roots/list", {}),
}


def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Asks the client in the middle of a call; its answer as the call's text."""
    tell({"id": "question", "method": method, "params": params})
    while (answered := json.loads(sys.stdin.readline())).get("id") != "question":
        pass
    return {"content": [{"type": "text", "text": json.dumps(answered.get("result") or answered["error"])}]}


def tell(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


for line in sys.stdin:
    answer(json.loads(line), sys.argv[1])
