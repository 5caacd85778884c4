"""The tables of sessions: the first step of the schema."""

from __future__ import annotations

TABLES = """
CREATE SCHEMA IF NOT EXISTS playground;
CREATE TABLE schema_version (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    usable_from INTEGER NOT NULL
);
CREATE SEQUENCE entries;
CREATE TABLE sessions (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    created_at DOUBLE PRECISION NOT NULL,
    updated_at DOUBLE PRECISION NOT NULL,
    deleted_at DOUBLE PRECISION,
    last_seq BIGINT NOT NULL DEFAULT 0,
    last_entry BIGINT NOT NULL DEFAULT 0,
    events BIGINT NOT NULL DEFAULT 0,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'idle',
    model TEXT NOT NULL DEFAULT '',
    models TEXT NOT NULL DEFAULT '',
    simulated BOOLEAN NOT NULL DEFAULT FALSE,
    origin TEXT NOT NULL DEFAULT '',
    fork BOOLEAN NOT NULL DEFAULT FALSE,
    changed TEXT NOT NULL DEFAULT '',
    holder TEXT COLLATE "C" NOT NULL DEFAULT '',
    UNIQUE (app_name, user_id, id)
) WITH (fillfactor = 70);
CREATE INDEX sessions_by_change ON sessions (last_entry, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_of_app ON sessions (app_name, last_entry, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_status ON sessions (status, user_id) WHERE deleted_at IS NULL;
CREATE INDEX sessions_by_id ON sessions (app_name, id);
CREATE TABLE log (
    session BIGINT NOT NULL REFERENCES sessions (key),
    seq BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    timestamp DOUBLE PRECISION NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
);
CREATE INDEX log_of_records ON log (session, seq, kind) WHERE kind != 'event';
CREATE TABLE session_state (
    session BIGINT NOT NULL REFERENCES sessions (key),
    key TEXT COLLATE "C" NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session, key)
);
CREATE TABLE user_state (
    app_name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_name, user_id, key)
);
CREATE TABLE app_state (
    app_name TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_name, key)
);
CREATE TABLE texts (
    hash TEXT COLLATE "C" PRIMARY KEY,
    text TEXT NOT NULL
);
CREATE TABLE runs (
    session BIGINT PRIMARY KEY REFERENCES sessions (key),
    owner TEXT COLLATE "C" NOT NULL,
    epoch BIGINT NOT NULL,
    expires DOUBLE PRECISION NOT NULL,
    invocation_id TEXT COLLATE "C" NOT NULL,
    pid BIGINT NOT NULL,
    process_started DOUBLE PRECISION NOT NULL
);
CREATE INDEX runs_held ON runs (owner) WHERE owner != '';
CREATE FUNCTION note_holder() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE sessions SET holder = NEW.owner || ':' || NEW.epoch WHERE key = NEW.session;
    RETURN NULL;
END $$;
CREATE TRIGGER holder AFTER INSERT OR UPDATE OF owner, epoch ON runs FOR EACH ROW EXECUTE FUNCTION note_holder();
CREATE TABLE session_texts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session BIGINT NOT NULL REFERENCES sessions (key),
    text TEXT COLLATE "C" NOT NULL
);
CREATE INDEX texts_by_session ON session_texts (session);
CREATE TABLE session_sizes (
    session BIGINT PRIMARY KEY REFERENCES sessions (key),
    read_seq BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);
CREATE TABLE session_tags (
    session BIGINT NOT NULL REFERENCES sessions (key),
    tag TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (session, tag)
);
DO $$ BEGIN  -- without it, searches read all texts
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX texts_by_trigram ON session_texts USING gin (text gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'Searches will be slower without the extension pg_trgm: %', SQLERRM;
END $$;
CREATE FUNCTION lease_clock() RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE
    AS 'SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)';
"""
