"""Sessions as files: a lossless one of JSON lines, and ADK's session JSON, both ways."""
