"""ATIF, the Agent Trajectory Interchange Format (version 1.8), both ways."""
