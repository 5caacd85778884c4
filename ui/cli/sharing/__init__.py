"""The commands that write a session to a file, and read one from a file."""
