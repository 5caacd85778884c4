"""A small collection of short articles that several pipelines look things up in, and what it takes to do so."""
