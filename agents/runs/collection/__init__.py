"""All sessions of this playground's user, for callers in any thread."""
