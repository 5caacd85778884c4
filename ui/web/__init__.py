"""The server: routes, guard, limits, shutdown, and what every page shares."""
