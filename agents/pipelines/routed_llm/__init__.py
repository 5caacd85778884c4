"""One agent whose model is two: each of its model calls goes to the one that is needed, or to the other if that fails."""
