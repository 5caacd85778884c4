"""A small collection of short articles that several pipelines search, with its tools and simulations."""
