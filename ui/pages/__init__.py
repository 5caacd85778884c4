"""The main script, and one script per page."""
