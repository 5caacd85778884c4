"""The files that user packages are made of: as they were when they were read, and whether they are different now."""
