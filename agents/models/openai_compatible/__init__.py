"""Servers that speak as OpenAI's does, and the JSON protocol for models without tools of their own."""
