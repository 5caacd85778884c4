"""What is kept in the tables of a database, whether it is a SQLite file or one of PostgreSQL."""
