"""All that a database shows through its services, to compare two of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from agents.ace import PlaybookStore
from agents.playbook import PlaybookTransaction
from agents.session_list import SessionFilter
from agents.storage.stores import Store, open_store


async def contents(path: Path) -> dict[str, Any]:
    """Restores all deleted sessions on the way, to read their logs."""
    store = open_store(path)
    try:
        return await _of_store(store) | {"rows": rows(path)}
    finally:
        await store.close()


async def _of_store(store: Store) -> dict[str, Any]:
    sessions, collection = store.sessions, store.collection
    users = await collection.users()
    summaries = await sessions.summaries()
    found = {
        "users": users,
        "summaries": summaries,
        "page": (await sessions.page(SessionFilter(), limit=1000)).rows,
        "sessions": {
            app: (await sessions.list_sessions(app_name=app)).sessions for app in {row.app_name for row in summaries}
        },
        "deleted": {user: await collection.deleted(user_id=user) for user in users},
        "tags": {user: await collection.tags(user_id=user) for user in users},
        "search": {user: await collection.search(user_id=user, text="a") for user in users},
        "sizes": {user: await collection.sizes(user_id=user) for user in users},
        "preferences": store.preferences.read(),
        "journals": {name: store.journal.entries(name) for name in store.journal.names()},
        "lessons": store.lessons.rows(),
    }
    with store.playbooks.reading() as playbooks:
        found["playbooks"] = [_playbook(playbooks, info.key) | {"info": info._replace(key=0)} for info in playbooks.infos()]
    for deleted in (row for rows in found["deleted"].values() for row in rows):
        await sessions.restore_session(app_name=deleted.app_name, user_id=deleted.user_id, session_id=deleted.id)
    for row in await sessions.summaries():
        name = {"app_name": row.app_name, "user_id": row.user_id, "session_id": row.id}
        log = await sessions.read_log(**name)
        found[f"session {name}"] = (await sessions.get_session(**name), log)
        assert log
    return found


def _playbook(playbooks: PlaybookTransaction, key: int) -> dict[str, Any]:
    deltas = [*playbooks.deltas(key)]
    return {
        "deltas": deltas,
        "snapshots": [playbooks.snapshot(key, delta.revision) for delta in deltas],
        "answers": playbooks.answers(key),
    }


def revisions(path: Path) -> dict[str, Any]:
    """Each playbook at each of its revisions."""
    with PlaybookStore(path, "ace") as store:
        return {
            info.name: [beside.at(revision) for revision in range(1, beside.playbook().revision + 1)]
            for info in store.names()
            for beside in [store.beside(info.name)]
        }


def rows(path: Path) -> dict[str, Any]:
    """What no service lists: texts, and files with the times at which they were saved."""
    with closing(sqlite3.connect(path)) as conn:
        return {table: sorted(conn.execute(f"SELECT * FROM {table}")) for table in ("texts", "artifacts")}
