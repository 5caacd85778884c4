"""What the next run of a page is to have: its model, faults, and the values of controls."""
