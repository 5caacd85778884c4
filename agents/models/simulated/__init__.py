"""The model that works its answers out without a model."""
