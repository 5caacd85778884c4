"""The tables of playbooks."""

from __future__ import annotations

TABLES = """
CREATE TABLE playbooks (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at DOUBLE PRECISION NOT NULL,
    updated_at DOUBLE PRECISION NOT NULL,
    frozen BOOLEAN NOT NULL DEFAULT FALSE,
    revision BIGINT NOT NULL DEFAULT 0,
    bullets BIGINT NOT NULL DEFAULT 0,
    pending BIGINT NOT NULL DEFAULT 0,
    deleted_at DOUBLE PRECISION,
    guard TEXT NOT NULL DEFAULT ''
);
CREATE TABLE playbook_deltas (
    playbook BIGINT NOT NULL REFERENCES playbooks (key),
    revision BIGINT NOT NULL,
    mark BIGINT NOT NULL,
    committed_at DOUBLE PRECISION NOT NULL,
    by TEXT NOT NULL,
    undoes BIGINT,
    app_name TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    invocation_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    bullets BIGINT NOT NULL,
    helpful BIGINT NOT NULL,
    harmful BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (playbook, revision)
);
CREATE TABLE playbook_snapshots (
    playbook BIGINT NOT NULL REFERENCES playbooks (key),
    revision BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (playbook, revision)
);
CREATE TABLE playbook_answers (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    playbook BIGINT NOT NULL REFERENCES playbooks (key),
    revision BIGINT NOT NULL,
    judged_at DOUBLE PRECISION NOT NULL,
    app_name TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    question TEXT NOT NULL,
    is_right BOOLEAN,
    feedback TEXT NOT NULL
);
CREATE INDEX answers_by_playbook ON playbook_answers (playbook, id);
"""
