"""Reads questions: quantities and what is asked for, sums."""
