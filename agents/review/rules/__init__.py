"""The rules of the review, by what they look at."""
