"""Servers with OpenAI's API, and the JSON protocol for models without native tools."""
