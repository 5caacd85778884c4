"""Runs of the nodes of a graph."""
