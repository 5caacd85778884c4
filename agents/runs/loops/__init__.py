"""Event loops in threads: shared ones and those for runs of users' packages, which may block without delaying others."""
