"""Playbook repositories: in a SQLite file, and in memory."""
