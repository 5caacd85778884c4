"""Words of natural languages that the learner reads: which language a text is in, and sums in a question. Data in TOML."""
