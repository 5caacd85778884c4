"""The view *Growth*: how often answers were right, and what the playbook holds, over time."""
