"""The route of links that share something, `/shared/TEXT`: notes who opens one, and leads to what it shares.

Who is nobody here becomes a viewer, who sees what links share with them and nothing else.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from agents import DatabaseError, PlaygroundError
from agents.access import VIEWER_PREFIX, VISITOR_PREFIX, Thing, User, viewer
from ui.access import identity
from ui.access.refusals import NOBODY, SHARED
from ui.sign_in import page as drawn
from ui.web.threads import in_thread

if TYPE_CHECKING:
    from agents.runs import RunManager

_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
_NOTHING = '<p>{why}</p><p><a href="../">Open the playground</a></p>'


def shared_route(runs: Callable[[], RunManager]) -> Route:
    """The route.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
    """

    async def enter(request: Request) -> Response:
        user = identity.current()
        if user == NOBODY:
            user = viewer(secrets.token_hex(8))
        try:
            thing = await in_thread(_opened, runs, user, request.path_params["text"], request.method == "HEAD")
        except PlaygroundError as error:
            status = 503 if isinstance(error, DatabaseError) else 404
            answer = drawn.page("This link opens nothing", drawn.filled(_NOTHING, why=str(error)), status=status)
            answer.headers.update(_HEADERS)
            return answer
        answer = RedirectResponse(_there(thing), status_code=303, headers=_HEADERS)
        if user.id.startswith((VISITOR_PREFIX, VIEWER_PREFIX)):  # they come back as the same
            identity.give_cookie(answer, user, request)
        return answer

    return Route(f"{SHARED}{{text}}", enter)


def _opened(runs: Callable[[], RunManager], user: User, text: str, only_looks: bool) -> Thing:
    links = runs().links
    return links.open(user, text, now=time.time(), notes=not only_looks).thing


def _there(thing: Thing) -> str:
    """The address of what a link shares, below the path of the link."""
    if thing.kind == "playbook":
        return f"../playbook?{urlencode({'playbook': thing.id})}"
    return f"../?{urlencode({'pipeline': thing.app_name, 'session': thing.id})}"
