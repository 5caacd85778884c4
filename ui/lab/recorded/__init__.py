"""Runs that were recorded with a real model and come with the playground, to be opened without it."""
