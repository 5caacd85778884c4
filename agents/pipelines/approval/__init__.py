"""Payments are prepared, made and receipted; one above a limit waits until the user has approved it."""
