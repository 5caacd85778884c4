"""A list of sessions, compact or full: a component in the browser, and the rows that it shows."""
