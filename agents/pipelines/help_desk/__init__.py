"""A help desk: one agent finds out what a question is about and transfers it to the specialist for that."""
