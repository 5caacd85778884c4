"""The pages of a class: `/join` for phones, `/wall`, and `/class`, the teacher's desk. Static HTML with one script each."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from html import escape
from importlib import import_module
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from agents import PlaygroundError
from agents.access import Action, permits, teacher
from ui.access import door, identity
from ui.access.guard import public_url
from ui.access.sign_ins import is_https
from ui.browser.component_script import component_script, scripts
from ui.kit.qr_picture import qr
from ui.shell import appearance
from ui.web.threads import in_thread

_HERE = Path(__file__).parent
VIEWS = {"join": "phone", "wall": "wall", "class": "desk"}
"""The view that each page shows."""
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Agent Playground</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body class="{view}" data-join="{join}" data-qr="{qr}">
<noscript>This page needs JavaScript.</noscript>
<script type="module">
import draw from "./components/{script}";
draw(document.body);
</script>
</body>
</html>
"""


def class_pages() -> list[Route]:
    """The routes of the pages, and of the link that makes a browser a teacher's."""
    return [*(Route(f"/{name}", _page(view)) for name, view in VIEWS.items()), Route(door.TEACHER, _enter)]


def class_route() -> WebSocketRoute:
    """The route of the pages' socket, `/api/class`; see `ui.classroom.connection`."""

    async def endpoint(websocket: WebSocket) -> None:
        await websocket.accept()
        connection = await in_thread(import_module, "ui.classroom.connection")  # brings the runtime, a second of imports
        await connection.serve(websocket)

    return WebSocketRoute("/api/class", endpoint)


def join_url(host: str | None, scheme: str = "http") -> str:
    """The address at which learners join: the one that a browser used, if others can use it; else this machine's.

    Args:
        host: The `Host` header of a request.
        scheme: Of the request.
    """
    return f"{public_url(host, scheme)}/join"


def _page(view: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        user = identity.current()
        if door.current() is None and not (user.is_owner and view != "phone"):
            return PlainTextResponse("No class is held here. Start one with: playground class\n", status_code=404)
        if view == "desk" and not permits(user, Action.HOLD_CLASS):
            return PlainTextResponse(
                f"A {user.role} may not hold a class. Learners join on the page join.\n", status_code=403
            )
        join = join_url(request.headers.get("host"), "https" if is_https(request) else "http")
        qr = "" if view == "phone" or door.current() is None else await in_thread(_qr_of_class, join)
        text = _PAGE.format(
            title={"phone": "Class", "wall": "Wall", "desk": "Desk"}[view],
            icon=appearance.icon(),
            style=appearance.light_style() + (_HERE / "class.css").read_text(encoding="utf-8"),
            view=view,
            join="" if door.current() is None else escape(join),
            qr=escape(qr),
            script=_script(view),
        )
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    return page


def _enter(request: Request) -> Response:
    gate = door.current()
    if gate is None or not gate.is_token(request.query_params.get("token", "")):
        return PlainTextResponse(
            "This is not the teacher's link of this class. Open the one that was printed.\n", status_code=403
        )
    answer = RedirectResponse("class", status_code=303)
    identity.give_cookie(answer, teacher(secrets.token_hex(8)), request)
    return answer


@cache
def _script(view: str) -> str:
    """The file name of a page's script, which is served with those of the components."""
    component_script(_HERE / "js" / f"{view}.js", f"class_{view}")
    return next(file for file in scripts if file.startswith(f"class_{view}."))


def _qr_of_class(join: str) -> str:
    """The picture of the address with the code in it; without the code while the database cannot be opened."""
    from ui.classroom.room import room  # brings the runtime, a second of imports

    with suppress(PlaygroundError):
        return qr(f"{join}?code={found.classroom.code}" if (found := room()) is not None else join)
    return qr(join)
