"""Demos of the Lab: four real lab runs with the simulated model, and the moments of each to look at."""
