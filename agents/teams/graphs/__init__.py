"""Graphs in the files of a team: their edges, and nodes that need no code."""
