"""The server: routes, guard, limits, shutdown, styles."""
