"""What the roles say, in each language: sentences and words as data files."""
