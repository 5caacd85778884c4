"""Generated data sets: a module for each, with a function that draws its samples by seed."""
