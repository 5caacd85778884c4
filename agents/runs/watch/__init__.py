"""Watching a session's log while it grows."""
