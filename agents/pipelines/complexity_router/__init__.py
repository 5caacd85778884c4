"""A small model says how hard a request is, and that decides who works on it."""
