"""Duplicates, pruning, retrieval."""
