"""A session as a file over HTTP: `/api/export?pipeline=&session=&format=&scope=`; `scope=` once for each that goes along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.routing import Route

from agents import SessionNotFoundError
from ui.sharing.formats import FORMATS, file_name, written
from ui.web.answers import SAFE, file_route

if TYPE_CHECKING:
    from agents.runs import RunManager

PATH = "/api/export"
LONGEST = 300
"""Most characters of a name in the URL."""

_HEADERS = {**SAFE, "Cache-Control": "no-store"}


def export_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves exported sessions, as downloads; a file is written at each request.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """
    return file_route(path, lambda query: _file(runs, query), _HEADERS)


def _file(runs: Callable[[], RunManager], query: QueryParams) -> Response:
    from agents.sharing import export_session  # brings the runtime, a second of imports

    pipeline, session, form = (query.get(name, "") for name in ("pipeline", "session", "format"))
    if not (pipeline and session and form in FORMATS) or max(len(pipeline), len(session)) > LONGEST:
        raise SessionNotFoundError(f"The URL needs pipeline=, session= and format=, which is one of {', '.join(FORMATS)}.")
    manager = runs()
    file = export_session(manager, pipeline, session).within(query.getlist("scope"))
    headers = {**_HEADERS, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file_name(file, form), safe='')}"}
    text = written(manager, file, form, session=session)
    return Response(text, headers=headers, media_type=f"{FORMATS[form].mime}; charset=utf-8")
