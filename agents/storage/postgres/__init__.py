"""A PostgreSQL database: its connections, its schema, and what says that it has changed."""
