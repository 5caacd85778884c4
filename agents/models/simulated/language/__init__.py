"""What the simulations share to read English, Japanese and Chinese, and to answer in them; the words are data files."""
