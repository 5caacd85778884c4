"""Payments are prepared, made and receipted; one above a limit waits until a person has approved it."""
