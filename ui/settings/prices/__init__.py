"""The prices section."""
