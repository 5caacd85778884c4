"""Undocumented parts of dependencies that the front end uses: one module per dependency."""
