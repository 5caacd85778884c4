"""`playground models`: lists the usable models, and fetches model files."""
