"""A writer drafts, then a critic and a refiner take turns until nothing is left to mend."""
