"""Playbooks in the database: deltas, revisions, snapshots."""
