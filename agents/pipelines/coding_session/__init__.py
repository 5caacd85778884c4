"""Sessions of coding agents that were recorded elsewhere, see `agents.transcripts`."""
