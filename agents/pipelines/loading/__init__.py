"""How a pipeline's package is found, imported and imported again when its files change, and what is said if that fails."""
