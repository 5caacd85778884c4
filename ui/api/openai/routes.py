"""The routes of OpenAI's protocol."""

from __future__ import annotations

from starlette.routing import Route

from ui.api.lazy_route import lazy_route

_HERE = "ui.api.openai"


def openai_routes() -> list[Route]:
    """All routes below `/v1`."""
    return [
        lazy_route("/v1/models", f"{_HERE}.models:listed"),
        lazy_route("/v1/models/{model:path}", f"{_HERE}.models:one"),
        lazy_route("/v1/chat/completions", f"{_HERE}.chat:chat_completions", methods=["POST"]),
        lazy_route("/v1/responses", f"{_HERE}.responses:create", methods=["POST"]),
        lazy_route("/v1/responses/{response}", f"{_HERE}.responses:retrieve"),
        lazy_route("/v1/responses/{response}", f"{_HERE}.stored:delete", methods=["DELETE"]),
        lazy_route("/v1/responses/{response}/cancel", f"{_HERE}.stored:cancel", methods=["POST"]),
        lazy_route("/v1/responses/{response}/input_items", f"{_HERE}.stored:input_items"),
        lazy_route("/v1/conversations", f"{_HERE}.stored:create_conversation", methods=["POST"]),
        lazy_route("/v1/conversations/{conversation}", f"{_HERE}.stored:retrieve_conversation"),
        lazy_route("/v1/conversations/{conversation}", f"{_HERE}.stored:delete_conversation", methods=["DELETE"]),
        lazy_route("/v1/conversations/{conversation}/items", f"{_HERE}.stored:conversation_items"),
    ]
