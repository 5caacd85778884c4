"""Toolsets: the operations of an API, and the skills in a folder."""
