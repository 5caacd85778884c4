"""Forks on the page: what if a session had gone on otherwise from one of its events."""
