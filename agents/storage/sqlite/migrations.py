"""The schema of the session database, as numbered steps. A released step is never edited; new ones are added.

`log` is the truth: the events and trace records of each session in the order of their `seq`. Everything else is derived from
the log (`sessions`, the three state tables, the search index, `playbooks` and the tables below it), referenced by it
(`texts`, `artifacts`), says who runs it (`runs`), or is set by users alone (`preferences`, `session_tags`,
`lesson_progress`). `journals` has lists of its own, of what is no session's; `model_use` and `places` say what users use.
A state row is one key, so that the cost of a
change does not depend on the size of the state. An artifact has one row per version. It names its session without a foreign
key, since files may be saved for sessions that are kept elsewhere.

`log.id` counts the entries of all sessions as this file got them. It says which session changed last
(`sessions.last_entry`) and how far the search index has read, and means nothing outside of the file.

A step runs in the transaction of `migrate`; the number of applied steps is the file's `user_version`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

VERSION = 19
"""The schema that this code reads and writes: how many steps there are."""

MIGRATIONS_TABLE = "_sqlite_migrations"
"""Where sqlite-utils notes the steps applied; a file without it was not made by this code."""

_STEP_1 = """
CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    app_name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    deleted_at REAL,
    last_seq INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'idle',
    UNIQUE (app_name, user_id, id)
);
CREATE TABLE log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions (key),
    kind TEXT NOT NULL,
    timestamp REAL NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX log_by_session ON log (session, seq, kind);
CREATE TABLE session_state (
    session INTEGER NOT NULL REFERENCES sessions (key),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session, key)
) WITHOUT ROWID;
CREATE TABLE user_state (
    app_name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (app_name, user_id, key)
) WITHOUT ROWID;
CREATE TABLE app_state (
    app_name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (app_name, key)
) WITHOUT ROWID;
CREATE TABLE texts (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE claims (
    session INTEGER PRIMARY KEY REFERENCES sessions (key),
    token TEXT NOT NULL,
    invocation_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_started REAL NOT NULL
);
"""

# session_id is '' where all sessions of the user share the file; part is NULL once it is deleted, and its number stays.
# The bytes are the last column: what is before them is read without them.
_STEP_2 = """
CREATE TABLE artifacts (
    app_name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    filename TEXT NOT NULL,
    version INTEGER NOT NULL,
    saved_at REAL NOT NULL,
    part TEXT,
    data BLOB,
    PRIMARY KEY (app_name, user_id, session_id, filename, version)
);
"""

# Deltas are the truth; a snapshot is what they add up to at a revision, so that not all must be read. The mark is drawn at
# random: a cached revision with the same mark is still the stored one. The counts are those after
# the delta, for charts; `pending` is how many changes there were since the last snapshot.
_STEP_3 = """
CREATE TABLE playbooks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    frozen INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    bullets INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE playbook_deltas (
    playbook INTEGER NOT NULL REFERENCES playbooks (key),
    revision INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    committed_at REAL NOT NULL,
    by TEXT NOT NULL,
    undoes INTEGER,
    app_name TEXT NOT NULL,
    session_id TEXT NOT NULL,
    invocation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    bullets INTEGER NOT NULL,
    helpful INTEGER NOT NULL,
    harmful INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (playbook, revision)
);
CREATE TABLE playbook_snapshots (
    playbook INTEGER NOT NULL REFERENCES playbooks (key),
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (playbook, revision)
);
"""

_STEP_4 = """
CREATE TABLE preferences (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
"""

# With which model a session was run last. What is in the log of earlier sessions is looked up once.
_STEP_5 = """
ALTER TABLE sessions ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET (model, simulated) = (
    SELECT coalesce(json_extract(body, '$.model'), ''), coalesce(json_extract(body, '$.simulated'), 0) FROM log
    WHERE log.session = sessions.key AND kind = 'run_started' ORDER BY seq DESC LIMIT 1
) WHERE EXISTS (SELECT 1 FROM log WHERE log.session = sessions.key AND kind = 'run_started');
"""

# A delta or a snapshot whose changes or lines are in a bundle, in parts. The 14th step puts them into the body again.
_STEP_6 = """
CREATE TABLE playbook_bundles (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    pid INTEGER NOT NULL,
    process_started REAL NOT NULL,
    published INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE playbook_parts (
    bundle INTEGER NOT NULL REFERENCES playbook_bundles (key),
    first INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (bundle, first)
);
ALTER TABLE playbook_deltas ADD COLUMN bundle INTEGER REFERENCES playbook_bundles (key);
ALTER TABLE playbook_snapshots ADD COLUMN bundle INTEGER REFERENCES playbook_bundles (key);
"""
# What feedback said of answers, so that a playbook's accuracy can be drawn. Queries that were counted before are unchecked.
# A deleted playbook keeps its rows, so that it can be restored, and frees its name.
_STEP_7 = """
CREATE TABLE playbook_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    playbook INTEGER NOT NULL REFERENCES playbooks (key),
    revision INTEGER NOT NULL,
    judged_at REAL NOT NULL,
    app_name TEXT NOT NULL,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    question TEXT NOT NULL,
    is_right INTEGER,
    feedback TEXT NOT NULL
);
CREATE INDEX answers_by_playbook ON playbook_answers (playbook, id);
ALTER TABLE playbooks ADD COLUMN deleted_at REAL;
INSERT INTO playbook_answers (playbook, revision, judged_at, app_name, session_id, seq, question, is_right, feedback)
SELECT playbook, revision - 1, committed_at, app_name, session_id, seq, '', NULL, 'nothing' FROM playbook_deltas
WHERE bundle IS NULL AND json_type(body, '$.cited') IS NOT NULL ORDER BY playbook, revision;
"""
_STEP_8 = "ALTER TABLE sessions ADD COLUMN origin TEXT NOT NULL DEFAULT '';"
# The folder of cases that guards a playbook; '' for none.
_STEP_9 = "ALTER TABLE playbooks ADD COLUMN guard TEXT NOT NULL DEFAULT '';"
# The search index follows the log up to `search_progress`; sizes are counted on the way.
_STEP_10 = """
CREATE TABLE session_texts (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (key),
    text TEXT NOT NULL
);
CREATE INDEX texts_by_session ON session_texts (session);
CREATE TABLE session_sizes (
    session INTEGER PRIMARY KEY REFERENCES sessions (key),
    bytes INTEGER NOT NULL
);
CREATE TABLE search_progress (seq INTEGER NOT NULL);
INSERT INTO search_progress VALUES (0);
CREATE TABLE session_tags (
    session INTEGER NOT NULL REFERENCES sessions (key),
    tag TEXT NOT NULL,
    PRIMARY KEY (session, tag)
) WITHOUT ROWID;
"""
# How a session came from its origin, and what a fork changed: the last record of either kind says it.
_STEP_11 = """
ALTER TABLE sessions ADD COLUMN fork INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN changed TEXT NOT NULL DEFAULT '';
UPDATE sessions SET (fork, changed) = (
    SELECT kind = 'forked', iif(kind = 'forked', substr(coalesce(json_extract(body, '$.what'), ''), 1, 80), '') FROM log
    WHERE log.session = sessions.key AND kind IN ('forked', 'imported') ORDER BY seq DESC LIMIT 1
) WHERE origin != '' AND EXISTS (SELECT 1 FROM log WHERE log.session = sessions.key AND kind IN ('forked', 'imported'));
"""
# A page of a list is read from an index: of all sessions, of those of one app, of those with a status.
_STEP_12 = """
CREATE INDEX sessions_by_change ON sessions (last_seq, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_of_app ON sessions (app_name, last_seq, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_status ON sessions (status, user_id) WHERE deleted_at IS NULL;
"""
# The models that the calls of a session's last run asked.
_STEP_13 = """
ALTER TABLE sessions ADD COLUMN models TEXT NOT NULL DEFAULT '';
UPDATE sessions SET models = coalesce((
    SELECT group_concat(name, char(10)) FROM (
        SELECT json_extract(body, '$.model') AS name FROM log WHERE log.session = sessions.key AND kind = 'model_started'
        AND seq > (SELECT max(seq) FROM log WHERE log.session = sessions.key AND kind = 'run_started')
        GROUP BY name ORDER BY min(seq) LIMIT 20
    )
), '');
"""
# What is in bundles becomes the body of its delta or snapshot; a bundle that none names was left behind by a process that
# ended. The emptied table and the columns stay for processes of earlier versions that have the file open. Without
# the table of parts they can store nothing in a bundle any more.
_STEP_14 = """
UPDATE playbook_deltas SET bundle = NULL, body = json_set(json_remove(body, '$.bundled'), '$.applied', json('[' || (
    SELECT coalesce(group_concat(substr(text, 2, length(text) - 2)), '') FROM (
        SELECT body AS text FROM playbook_parts WHERE playbook_parts.bundle = playbook_deltas.bundle ORDER BY first
    )
) || ']')) WHERE bundle IS NOT NULL;
UPDATE playbook_snapshots SET bundle = NULL, body = body || coalesce(char(10) || (
    SELECT group_concat(text, char(10)) FROM (
        SELECT body AS text FROM playbook_parts WHERE playbook_parts.bundle = playbook_snapshots.bundle ORDER BY first
    )
), '') WHERE bundle IS NOT NULL;
DROP TABLE playbook_parts;
DELETE FROM playbook_bundles;
"""
# An entry's number is that of its session: earlier entries keep theirs, and were numbered over all sessions. Events are in
# one index alone, which makes their appends cheaper; other records are looked for by their kind, and counted. A process of
# an earlier version that has the file open can store no entry any more, since it gives none a number.
_STEP_15 = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions (key),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    timestamp REAL NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO entries SELECT seq, session, seq, kind, timestamp, body FROM log;
DELETE FROM sqlite_sequence WHERE name = 'entries';
UPDATE sqlite_sequence SET name = 'entries' WHERE name = 'log';
DROP TABLE log;
ALTER TABLE entries RENAME TO log;
CREATE UNIQUE INDEX log_by_seq ON log (session, seq);
CREATE INDEX log_of_records ON log (session, seq, kind) WHERE kind != 'event';
ALTER TABLE search_progress RENAME COLUMN seq TO entry;
ALTER TABLE session_state DROP COLUMN seq;
ALTER TABLE user_state DROP COLUMN seq;
ALTER TABLE app_state DROP COLUMN seq;
ALTER TABLE sessions ADD COLUMN last_entry INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET last_entry = last_seq;
DROP INDEX sessions_by_change;
DROP INDEX sessions_of_app;
CREATE INDEX sessions_by_change ON sessions (last_entry, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_of_app ON sessions (app_name, last_entry, user_id) WHERE deleted_at IS NULL;
"""
# Who runs a session is a lease, whose epoch each append of the run is checked against. A process of an earlier version that
# runs a session can store no entry any more, so its claims are dropped.
_STEP_16 = """
DROP TABLE claims;
CREATE TABLE runs (
    session INTEGER PRIMARY KEY REFERENCES sessions (key),
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    expires REAL NOT NULL,
    invocation_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_started REAL NOT NULL
);
"""
# What a learner has done in a step of a lesson; the body is JSON.
_STEP_17 = """
CREATE TABLE lesson_progress (
    user_id TEXT NOT NULL,
    lesson TEXT NOT NULL,
    step TEXT NOT NULL,
    changed_at REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (user_id, lesson, step)
) WITHOUT ROWID;
"""
# Lists of entries of what is no session's, e.g. of a class.
_STEP_18 = """
CREATE TABLE journals (
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (name, seq)
) WITHOUT ROWID;
"""
# What users use: of models, by day since the epoch in UTC; bytes of logs and files; places of runs and sockets, each with a
# lease. Sums of a user's bytes are read from indexes alone.
_STEP_19 = """
CREATE TABLE model_use (
    day INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    output INTEGER NOT NULL,
    searches INTEGER NOT NULL,
    PRIMARY KEY (day, user_id, model)
) WITHOUT ROWID;
CREATE TABLE places (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    user_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    of TEXT NOT NULL,
    work TEXT NOT NULL,
    started INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    expires REAL NOT NULL
);
ALTER TABLE sessions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET bytes = coalesce((SELECT sum(length(CAST(body AS BLOB))) FROM log WHERE session = sessions.key), 0);
CREATE INDEX sessions_of_user ON sessions (user_id, deleted_at, bytes);
CREATE INDEX artifacts_of_user ON artifacts (user_id, coalesce(length(data), 0) + coalesce(length(part), 0));
"""


def migrate(conn: sqlite3.Connection) -> None:
    """Applies the steps that a database has not had yet; the caller has begun a transaction and commits it."""
    from sqlite_utils import Database  # takes 1 to 2 s where pandas is installed: only for a file that needs it

    # Plugins of the sqlite-utils command line must not touch this file.
    database = Database(conn, execute_plugins=False)
    _steps().apply(database)
    conn.execute(f"PRAGMA user_version = {VERSION}")


def _steps() -> Migrations:
    from sqlite_utils import Migrations

    steps = Migrations("sessions")
    scripts = (_STEP_1, _STEP_2, _STEP_3, _STEP_4, _STEP_5, _STEP_6, _STEP_7, _STEP_8, _STEP_9)
    for number, script in enumerate(scripts, start=1):
        steps(name=str(number))(_running(script))

    @steps(name="10")
    def collection(database: Database) -> None:  # pyright: ignore[reportUnusedFunction]  registered by the decorator
        _run(_STEP_10, database)
        # Texts are folded already, and Chinese and Japanese have no spaces: every three characters are a term.
        database.table("session_texts").enable_fts(["text"], tokenize="trigram case_sensitive 1", create_triggers=True)

    steps(name="11")(_running(_STEP_11))
    steps(name="12")(_running(_STEP_12))
    steps(name="13")(_running(_STEP_13))
    steps(name="14")(_running(_STEP_14))
    steps(name="15")(_running(_STEP_15))
    steps(name="16")(_running(_STEP_16))
    steps(name="17")(_running(_STEP_17))
    steps(name="18")(_running(_STEP_18))
    steps(name="19")(_running(_STEP_19))
    return steps


def _running(script: str) -> Callable[[Database], None]:
    def step(database: Database) -> None:
        _run(script, database)

    return step


def _run(script: str, database: Database) -> None:
    """Runs a script in the open transaction: sqlite-utils would look for the end of a statement after every character."""
    for statement in script.split(";"):
        database.conn.execute(statement)
