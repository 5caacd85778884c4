"""What a run consists of: the invocation, the contexts that callbacks and tools get, and where a paused run stands."""
