"""The section on prices."""
