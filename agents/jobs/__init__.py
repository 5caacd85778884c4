"""Background work that is no run of a session: one contract for its progress, its end and its problem."""

from agents.jobs.job import Job, Jobs

__all__ = ["Job", "Jobs"]
