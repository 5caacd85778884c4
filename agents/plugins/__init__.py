"""Plugins that are ready to use; names and arguments are ADK's. `agents.flows.plugins` has their base class."""
