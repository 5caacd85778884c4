"""One agent with three file tools: it thinks, acts and observes until its model says that it is done."""
