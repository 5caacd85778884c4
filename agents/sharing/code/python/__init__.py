"""Python text: literals, a file while it is written, and the sources of what it takes in."""
