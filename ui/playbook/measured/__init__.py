"""Measured effects of bullets."""
