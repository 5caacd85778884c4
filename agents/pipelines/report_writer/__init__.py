"""A report writer calls a research assistant like a function; that one calls a searcher and a summariser in the same way."""
