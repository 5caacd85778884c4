"""Bullets of a playbook over HTTP: `/api/playbook?playbook=&revision=&ids=`.

The session view reads the bullets that a generator was given, at the revision that it was given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.routing import Route

from ui.web.answers import json_route

if TYPE_CHECKING:
    from agents.ace import Playbook, StoredBullet
    from agents.runs import RunManager

PATH = "/api/playbook"
MOST = 500
"""Most bullets in a response, and most ids in a URL."""
LONGEST = 300
"""Most characters of a name in the URL."""

_REVISION = re.compile(r"[0-9]{1,9}")


class Wanted(NamedTuple):
    """The bullets that a URL names.

    Attributes:
        playbook: The playbook's name.
        revision: The revision; None for the newest.
        ids: Ids of bullets; unknown ones are skipped. None for the first `MOST` bullets.
    """

    playbook: str
    revision: int | None
    ids: list[str] | None


def playbook_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves bullets.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """
    # Another database may have another playbook under the same name, so a browser asks again.
    return json_route(path, lambda query: _read(runs, _wanted(query)), cache="no-cache")


def _wanted(query: Mapping[str, str]) -> Wanted:
    playbook, revision, ids = query.get("playbook", ""), query.get("revision", ""), query.get("ids")
    if not playbook:
        raise ValueError("The URL of bullets needs playbook=. Open them from a session or from the Playbook page.")
    if len(playbook) > LONGEST:
        raise ValueError(f"The playbook's name has more than {LONGEST} characters; none has such a name.")
    if revision and not _REVISION.fullmatch(revision):
        raise ValueError(f"{revision[:20]!r} is no revision. Revisions are numbers from 0; leave it out for the latest.")
    named = None if ids is None else list(dict.fromkeys(filter(None, ids.split(","))))
    if named is not None and len(named) > MOST:
        raise ValueError(f"The URL names {len(named)} bullets, and may name {MOST}. Ask for them in several parts.")
    return Wanted(playbook, int(revision) if revision else None, named)


def _read(runs: Callable[[], RunManager], wanted: Wanted) -> dict[str, Any]:
    store = runs().playbooks(wanted.playbook)
    playbook = store.playbook() if wanted.revision is None else store.at(wanted.revision)
    bullets = _bullets(playbook, wanted.ids)
    return {
        "playbook": wanted.playbook,
        "revision": playbook.revision,
        "bullets": [_shown(bullet) for bullet in bullets],
        "more": len(playbook) - len(bullets) if wanted.ids is None else 0,
    }


def _bullets(playbook: Playbook, ids: list[str] | None) -> list[StoredBullet]:
    if ids is None:
        return list(islice(playbook.bullets, MOST))
    return [bullet for bullet_id in ids if (bullet := playbook.get(bullet_id)) is not None]


def _shown(bullet: StoredBullet) -> dict[str, Any]:
    return {
        "id": bullet.id,
        "section": bullet.section,
        "content": bullet.content,
        "helpful": bullet.helpful,
        "harmful": bullet.harmful,
        "neutral": bullet.neutral,
        "archived": bullet.archived,
    }
