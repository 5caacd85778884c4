"""Cases in the browser: keep a session as one, and run those that there are."""
