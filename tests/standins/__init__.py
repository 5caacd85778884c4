"""Servers on loopback that stand in for ones that tests cannot reach."""
