"""The section on models."""
