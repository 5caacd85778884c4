"""Limits as runs keep to them: what is used of them, and the queue of runs that wait for their turn."""
