"""A writer answers from a collection of articles and from memory; a critic looks every claim up; an editor revises."""
