"""Answers from a recorded session."""
