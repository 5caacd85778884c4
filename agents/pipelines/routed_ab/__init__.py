"""Two ways to summarise a text, and a setting that says which one answers."""
