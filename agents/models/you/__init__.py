"""The user as a model: a call waits until they answer it in the browser or the terminal."""
