"""What a run stores, and how it is read: results, sessions, charts, comparisons."""
