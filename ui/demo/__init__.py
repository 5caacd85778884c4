"""Demos: guided runs that a speaker steps through, on the real page with the real pipeline."""
