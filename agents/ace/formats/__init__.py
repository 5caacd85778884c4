"""Playbooks as text: the official format, JSON, and the dictionary of ACE on ADK."""
