"""The undocumented parts of dependencies that the front end is built on: one module per dependency, and nowhere else."""
