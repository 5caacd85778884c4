"""Custom components of the front end."""
