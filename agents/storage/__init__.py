"""Where sessions, artifacts, memories and preferences are kept."""
