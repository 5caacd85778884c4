"""OpenTelemetry: a session's log as traces, and where they are sent."""
