"""The list of all sessions: a component in the browser."""
