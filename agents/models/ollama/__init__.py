"""Models of an Ollama server."""
