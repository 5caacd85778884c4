"""The LlmAgent: its turn, the request that it makes, and its tool calls."""
