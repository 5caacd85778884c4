"""The rows of the full list: what a query finds, with forks below their origin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, cast

from agents import SessionFilter, SessionSummary
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
    """A row of the full list.

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
    """The answer to a query: `rows`, how many were `found` of `count`, and what can be chosen.

    The origins of listed forks are listed above them, though they may have changed before the last row.
    """
    desk, sessions = manager.collection, manager.sessions
    tags, sizes, result = desk.tags(), desk.sizes(), desk.search(query.text)
    wanted = _filter(query, result.sessions, tags)
    found = sessions.page(wanted, limit=min(query.limit, MOST_ROWS))
    rows = {_key(row): row for row in found.rows}
    origins = _origins(rows, wanted, sessions.find)
    rows |= {key: row for key, row in origins.items() if _fits(row, wanted)}
    excerpts = desk.excerpts(query.text, rows)
    titles = {key: row.title for key, row in (origins | rows).items()}
    pipelines = sorted({pipeline for pipeline, _ in sizes})
    return {
        "rows": [_row(row, depth, titles, tags, sizes, excerpts) for row, depth in tree(list(rows.values()))],
        "found": found.found,
        "count": sessions.page(limit=0).found,
        "size": bytes_in_words(sum(sizes.values())),
        "unread": result.unread,
        "pipelines": [name for name in pipelines if sessions.page(SessionFilter(app_name=name), limit=0).found],
        "statuses": [(name, f"{sign} {word}") for name, (sign, word) in STATUS.items() if name != "waiting"],
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


def _filter(query: Query, with_words: Iterable[Key], tags: Mapping[Key, Iterable[str]]) -> SessionFilter:
    """A query as the store takes it; without words and tag, nothing is asked for that an index does not answer."""
    among = set(with_words) if query.text.strip() else None
    if query.tag:
        tagged = {key for key, held in tags.items() if query.tag in held}
        among = tagged if among is None else among & tagged
    return SessionFilter(
        app_name=query.pipeline or None,
        statuses=frozenset({cast("Any", query.status)} if query.status else ()),
        among=None if among is None else frozenset(among),
    )


def _fits(row: SessionSummary, wanted: SessionFilter) -> bool:
    """Whether a filter, which its fork passes, has the origin of that."""
    is_named = wanted.among is None or _key(row) in wanted.among
    return is_named and (not wanted.statuses or row.status in wanted.statuses)


def _origins(
    rows: Mapping[Key, SessionSummary], wanted: SessionFilter, find: Callable[[str, str], SessionSummary | None]
) -> dict[Key, SessionSummary]:
    """The sessions that rows were forked from, without those that are rows; of one that is to be listed, its own too."""
    found: dict[Key, SessionSummary] = {}
    left = list(rows.values())
    while left:
        row = left.pop()
        key = row.app_name, row.origin
        if row.fork and key not in rows and key not in found and (origin := find(*key)) is not None:
            found[key] = origin
            if _fits(origin, wanted):
                left.append(origin)
    return found


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
