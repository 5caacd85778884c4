"""Measured effects of bullets: what is measured, with which questions, and what is kept of it."""
