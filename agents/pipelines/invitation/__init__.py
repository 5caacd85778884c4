"""An invitation is drafted; a person sends it, has it written again, or drops it: the answer is a route of the graph."""
