"""Deltas of a playbook, and their approval."""
