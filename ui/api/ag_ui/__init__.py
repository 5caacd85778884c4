"""AG-UI, the protocol of agents in user interfaces, 1.0: a run as a stream of typed events."""
