"""Two agents that name no model."""
