"""The tables of what is kept beside sessions and playbooks: files, preferences, lessons, lists."""

from __future__ import annotations

TABLES = """
CREATE TABLE artifacts (
    app_name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    filename TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    saved_at DOUBLE PRECISION NOT NULL,
    part TEXT,
    data BYTEA,
    PRIMARY KEY (app_name, user_id, session_id, filename, version)
);
CREATE TABLE preferences (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE lesson_progress (
    user_id TEXT COLLATE "C" NOT NULL,
    lesson TEXT COLLATE "C" NOT NULL,
    step TEXT COLLATE "C" NOT NULL,
    changed_at DOUBLE PRECISION NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (user_id, lesson, step)
);
CREATE TABLE journals (
    name TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (name, seq)
);
"""
