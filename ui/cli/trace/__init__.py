"""`playground trace`."""
