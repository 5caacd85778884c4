"""The value that a playbook is: its bullets in order, and their totals."""
