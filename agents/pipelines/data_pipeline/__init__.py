"""A pasted table is validated row by row, computed, and reported: three agents in order, and code that does the sums."""
