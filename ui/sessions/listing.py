"""The rows of the Sessions page: what a query finds, with forks below their origin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired

from agents import SessionSummary
from agents.access import Action, permits
from agents.runs import RunManager
from ui.access import identity
from ui.session_list.rows import Row, row_of
from ui.text.amounts import bytes_in_words
from ui.text.labels import STATUS, fork_words
from ui.text.visible_text import visible_directions

MOST_ROWS = 1000
"""Most rows of an answer."""
DEEPEST = 6
"""Levels of forks that are indented."""

_RIGHTS = {"rename": Action.RENAME, "tag": Action.RENAME, "delete": Action.DELETE}

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for; "" is anything.

    Attributes:
        text: Words, see `CollectionDesk.search`.
        pipeline: A pipeline, by name.
        status: A status, by name.
        tag: A tag.
        limit: Rows wanted.
    """

    text: str = ""
    pipeline: str = ""
    status: str = ""
    tag: str = ""
    limit: int = 100


class FoundRow(Row):
    """A row of the page.

    Attributes:
        tags: Its tags.
        facts: What else is known of it, each in a few words: its size, what a fork changed. A new column is a fact here.
        may: What the user who asks may do to it, as `Act.kind` names it.
        depth: 0, or how far below an origin that is listed too.
        excerpt: Text around a word that was looked for.
    """

    tags: list[str]
    facts: list[str]
    may: list[str]
    depth: int
    excerpt: NotRequired[str]


def listing(manager: RunManager, query: Query) -> dict[str, Any]:
    """The answer to a query: `rows`, how many were `found` of `count`, and what can be chosen."""
    desk = manager.collection
    result = desk.search(query.text)
    sessions, tags, sizes = manager.sessions.summaries(), desk.tags(), desk.sizes()
    wanted = set(result.sessions)
    found = [row for row in sessions if _key(row) in wanted and _fits(row, query, tags)]
    shown = tree(found)[: min(query.limit, MOST_ROWS)]
    excerpts = desk.excerpts(query.text, {_key(row) for row, _ in shown})
    titles = {_key(row): row.title for row in sessions}
    return {
        "rows": [_row(row, depth, titles, tags, sizes, excerpts) for row, depth in shown],
        "found": len(found),
        "count": len(sessions),
        "size": bytes_in_words(sum(sizes.values())),
        "unread": result.unread,
        "pipelines": sorted({row.app_name for row in sessions}),
        "statuses": [(name, f"{sign} {word}") for name, (sign, word) in STATUS.items()],
        "tags": sorted({tag for each in tags.values() for tag in each}),
    }


def tree(rows: Sequence[SessionSummary]) -> list[tuple[SessionSummary, int]]:
    """Rows with their depth: forks follow their origin. A tree stands where its first row does.

    Args:
        rows: Sessions, last changed first. A fork whose origin is not among them stands by itself.
    """
    known = {_key(row): row for row in rows}
    forks: dict[Key, list[SessionSummary]] = {}
    for row in rows:
        if row.fork and (row.app_name, row.origin) in known:
            forks.setdefault((row.app_name, row.origin), []).append(row)
    placed: list[tuple[SessionSummary, int]] = []
    done: set[Key] = set()
    for row in rows:
        if _key(row) in done:
            continue
        left = [(_root(row, known), 0)]
        while left:
            each, depth = left.pop()
            if _key(each) not in done:
                done.add(_key(each))
                placed.append((each, min(depth, DEEPEST)))
                left += ((fork, depth + 1) for fork in reversed(forks.get(_key(each), [])))
    return placed


def _root(row: SessionSummary, known: Mapping[Key, SessionSummary]) -> SessionSummary:
    """The origin of all; an id that was used again may have made its own fork's fork, which ends the search."""
    seen = {_key(row)}
    while row.fork and (above := known.get((row.app_name, row.origin))) is not None and _key(above) not in seen:
        row = above
        seen.add(_key(row))
    return row


def _key(row: SessionSummary) -> Key:
    return row.app_name, row.id


def _fits(row: SessionSummary, query: Query, tags: Mapping[Key, Iterable[str]]) -> bool:
    return (
        query.pipeline in {"", row.app_name}
        and query.status in {"", row.status}
        and (not query.tag or query.tag in tags.get(_key(row), ()))
    )


def _row(
    row: SessionSummary,
    depth: int,
    titles: Mapping[Key, str],
    tags: Mapping[Key, Iterable[str]],
    sizes: Mapping[Key, int],
    excerpts: Mapping[Key, str],
) -> FoundRow:
    facts: list[str] = []
    if (size := sizes.get(_key(row))) is not None:
        facts.append(bytes_in_words(size))
    if row.fork:
        origin = "" if depth else titles.get((row.app_name, row.origin), "a session that is not here")
        facts.append(visible_directions(fork_words(row.changed, of=origin)))
    shown = FoundRow(
        **row_of(row),
        tags=[visible_directions(tag) for tag in tags.get(_key(row), ())],
        facts=facts,
        may=[kind for kind, action in _RIGHTS.items() if permits(identity.current(), action, of=row.user_id)],
        depth=depth,
    )
    if excerpt := excerpts.get(_key(row)):
        shown["excerpt"] = visible_directions(excerpt)
    return shown
