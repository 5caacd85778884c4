"""OpenAI's protocol: each pipeline is a model, for any client that can be given a base URL."""
