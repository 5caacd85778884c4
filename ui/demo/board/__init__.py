"""The board of the demo: the verdict with the cited bullets, the score, and at the end of each act the curve."""
