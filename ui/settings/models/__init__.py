"""The models section."""
