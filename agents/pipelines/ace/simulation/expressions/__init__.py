"""Expressions over named quantities with units: read, written, worked out."""
