"""The commands that run a pipeline in the terminal, or go on with a run."""
