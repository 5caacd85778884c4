"""Bullets of a playbook."""
