"""The SQLite file: connections, schema, writer."""
