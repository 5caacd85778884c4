"""Refinement of playbooks: duplicates, pruning, retrieval."""
