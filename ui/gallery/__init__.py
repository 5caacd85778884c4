"""The Gallery page: an overview of all patterns, and a lesson for each."""
