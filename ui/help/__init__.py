"""The Help page: the documents, with a search."""
