"""Expressions over named quantities with units, amounts and dates: read, written, worked out."""
