"""Playbook repositories: in a database, and in memory."""
