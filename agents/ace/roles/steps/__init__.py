"""The steps of a cycle without a model: they check what the models say, and submit it."""
