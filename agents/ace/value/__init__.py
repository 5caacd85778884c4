"""A playbook as a value: its bullets in order, and their totals."""
