"""Graph workflows that run the same here and in google-adk, see `play.py`."""
