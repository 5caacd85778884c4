"""Compaction: old events of a long session are summed up, and models are sent the summary in their place."""
