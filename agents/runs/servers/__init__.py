"""What the servers of one database do for each other."""
