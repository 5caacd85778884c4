"""The documents over HTTP, for programs that read: `/llms.txt` lists what there is, `/help/TOPIC.md` is a page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ui.text import documents
from ui.web.answers import SAFE

LIST, PAGE = "/llms.txt", "/help/{topic}.md"
_ABOUT = "A browser playground for multi-agent sessions: watch agents work, event by event."
_SERVES = """
It runs teams of agents as sessions in a log, shows them live, and keeps playbooks that the agents learn.
Its pages, for browsers:
`./` (a session), `gallery`, `lessons`, `build`, `playbook`, `sessions`, `lab`, `demo`, `settings`, `help`.

## For programs

- [OpenAI's protocol](v1/models): pipelines as models; also `v1/chat/completions` and `v1/responses`
- AG-UI: POST `ag-ui/PIPELINE`
- [ADK's REST contract](list-apps): apps, sessions, `run` and `run_sse`
- [MCP](mcp): tools and resources for sessions and playbooks, over HTTP

From other machines they need an API token, `Authorization: Bearer …`, which the owner makes under Settings › API."""
_HEADERS = {**SAFE, "Cache-Control": "no-cache"}


def list_route() -> Route:
    """The route of the list, in the form that llmstxt.org describes; its links are relative to it."""

    async def endpoint(_request: Request) -> Response:
        lines = ["# Agent Playground", "", f"> {_ABOUT}", _SERVES]
        group = ""
        for page in documents.pages().values():
            if page.group != group:
                group = page.group
                lines += ["", f"## {group}", ""]
            lines.append(f"- [{page.title}](help/{page.topic}.md): {page.about}")
        return PlainTextResponse("\n".join(lines) + "\n", headers=_HEADERS)

    return Route(LIST, endpoint)


def page_route() -> Route:
    """The route of the pages, as Markdown."""

    async def endpoint(request: Request) -> Response:
        topic = request.path_params["topic"]
        if topic not in documents.pages():
            said = f"There is no such page. Topics: {', '.join(documents.pages())}.\n"
            return PlainTextResponse(said, status_code=404, headers=_HEADERS)
        text = documents.with_links(documents.text_of(topic), _link)
        return Response(text, media_type="text/markdown; charset=utf-8", headers=_HEADERS)

    return Route(PAGE, endpoint)


def _link(topic: str, anchor: str) -> str:
    return f"{topic}.md{f'#{anchor}' if anchor else ''}"
