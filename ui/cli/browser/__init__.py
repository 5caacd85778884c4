"""The app in the browser, and the commands that open it at a place."""
