"""Artifacts over HTTP: `/api/artifact?pipeline=&session=&name=&version=`.

Pictures are shown, everything else is a download: a file from an agent must not run as a page of this app.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from agents import PersonError
from ui.web.answers import SAFE, file_route

if TYPE_CHECKING:
    from google.genai import types

    from agents.runs import RunManager

PATH = "/api/artifact"
SHOWN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Media types of pictures that cannot contain scripts."""
LONGEST = 300
"""Most characters of a name in the URL."""

_ANY = "application/octet-stream"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_VERSION = re.compile(r"[0-9]{1,9}")
_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,80}")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    **SAFE,
}


class Wanted(NamedTuple):
    """The artifact that a URL names; the latest version if it names none."""

    pipeline: str
    session: str
    name: str
    version: int | None


def artifact_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves artifacts.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """

    def read(query: Mapping[str, str]) -> Response:
        wanted = _wanted(query)
        part = runs().sessions.artifact(*wanted)
        if part is None:
            which = "" if wanted.version is None else f", version {wanted.version}"
            raise PersonError(f"There is no file {wanted.name!r}{which} in this session. The session may have been deleted.")
        return _file(part, wanted)

    return file_route(path, read, _HEADERS)


def _wanted(query: Mapping[str, str]) -> Wanted:
    pipeline, session, name = (query.get(key, "") for key in ("pipeline", "session", "name"))
    version = query.get("version", "")
    if not (pipeline and session and name):
        raise ValueError("The URL of a file needs pipeline=, session= and name=. Open it from its session.")
    if max(map(len, (pipeline, session, name))) > LONGEST:
        raise ValueError(f"A name in this URL has more than {LONGEST} characters; no file has such a name.")
    if version and not _VERSION.fullmatch(version):
        raise ValueError(f"{version[:20]!r} is no version. Versions are numbers from 0; leave it out for the latest.")
    return Wanted(pipeline, session, name, int(version) if version else None)


def _file(part: types.Part, wanted: Wanted) -> Response:
    if part.inline_data is not None:
        mime, data = part.inline_data.mime_type or _ANY, part.inline_data.data or b""
    elif part.text is not None:
        mime, data = "text/plain", part.text.encode("utf-8", "surrogatepass")
    else:
        raise PersonError(f"{wanted.name!r} is kept elsewhere, not in this playground: there is nothing to show.")
    mime = mime.split(";", 1)[0].strip().lower()
    how = "inline" if mime in SHOWN else "attachment"
    headers = {
        **_HEADERS,
        "Content-Disposition": f"{how}; filename*=UTF-8''{quote(_file_name(wanted), safe='')}",
        "Cache-Control": "private, no-cache" if wanted.version is None else "private, max-age=3600",
    }
    kind = mime if _MIME.fullmatch(mime) else _ANY
    return Response(data, headers=headers, media_type=f"{kind}; charset=utf-8" if kind == "text/plain" else kind)


def _file_name(wanted: Wanted) -> str:
    """A valid file name: without the scope and any folders."""
    name = wanted.name.removeprefix("user:").replace("\\", "/").rpartition("/")[2]
    return _CONTROL.sub("_", name).strip(" .") or "artifact"
