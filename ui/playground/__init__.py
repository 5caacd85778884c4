"""The Playground page."""
