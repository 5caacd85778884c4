"""What models take and what they lack."""
