"""Import, export, and changes that take a while."""
