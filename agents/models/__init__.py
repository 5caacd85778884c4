"""Model providers, one per file; `registry` finds the one for a model name and imports it then."""
