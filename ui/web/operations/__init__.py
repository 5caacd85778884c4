"""What operators look at: health, readiness, metrics, logs."""
