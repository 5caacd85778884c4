"""Recorded sessions as models to replay."""
