"""A worker asks about a job again and again; an agent without a model ends the loop when the job has ended."""
