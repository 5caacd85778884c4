"""Arguments of tool calls, from what a model wrote to a dictionary or an error."""
