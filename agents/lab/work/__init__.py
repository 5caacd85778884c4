"""The work on one sample: a task goes in, an outcome comes out. Nothing is stored."""
