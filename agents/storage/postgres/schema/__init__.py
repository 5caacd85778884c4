"""The tables of a PostgreSQL database; see `agents.storage.postgres.migrations`."""
