"""The front end: the served app, its pages, and the command line."""
