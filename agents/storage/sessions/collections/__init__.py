"""The collections of sessions: in memory and in SQLite. Both keep the contract of `agents.storage.collection`."""
