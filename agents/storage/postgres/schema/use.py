"""The tables of what users use."""

from __future__ import annotations

TABLES = """
CREATE TABLE model_use (
    day BIGINT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    calls BIGINT NOT NULL,
    input BIGINT NOT NULL,
    cached BIGINT NOT NULL,
    output BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    PRIMARY KEY (day, user_id, model)
);
CREATE TABLE places (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    holder TEXT COLLATE "C" NOT NULL,
    of TEXT COLLATE "C" NOT NULL,
    work TEXT NOT NULL,
    started BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
ALTER TABLE sessions ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET bytes = coalesce((SELECT sum(octet_length(body)) FROM log WHERE session = sessions.key), 0);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX artifacts_of_user ON artifacts (user_id);
"""
