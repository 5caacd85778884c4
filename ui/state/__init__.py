"""State of a browser tab: URL, choices, preferences; and the process's run manager."""
