"""A help desk: one agent finds out what a question is about and hands it to the specialist for that."""
