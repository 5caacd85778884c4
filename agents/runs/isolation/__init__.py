"""Event loops of their own for runs of users' packages: one that blocks delays nobody else, is named, and can be stopped."""
