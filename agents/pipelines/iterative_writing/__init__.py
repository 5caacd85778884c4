"""A writer drafts, then a critic and a refiner take turns until the critic finds nothing."""
