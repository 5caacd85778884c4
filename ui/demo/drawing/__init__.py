"""Parts that the pages of both demos are drawn of: a question with its verdict, bullets, and curves."""
