"""The simulated model: it computes its answers without a language model."""
