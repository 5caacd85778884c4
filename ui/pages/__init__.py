"""The script that every page begins with, and the pages, one script each."""
