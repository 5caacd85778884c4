"""Two playbooks, or two revisions, side by side."""
