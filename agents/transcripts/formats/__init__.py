"""The formats in which coding agents keep their sessions: a reader each, and for ATIF a writer."""
