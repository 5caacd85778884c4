"""The Build page: teams of agents, made and changed in the browser."""
