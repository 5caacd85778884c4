"""The contract of ADK's API server (google-adk 2.13): its page and its clients run on this runtime."""
