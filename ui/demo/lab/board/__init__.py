"""The board of the lab demos: a statement, charts of the arms, texts before and after, verdicts."""
