"""What the Gallery draws: all patterns as cards, and one of them with everything there is to learn about it."""
