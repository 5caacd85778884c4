"""What users use of a database: model calls and tokens a day, sessions, bytes, and places of runs and sockets."""
