"""Text for people: labels and characters that would hide something."""
