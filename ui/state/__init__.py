"""What a tab knows: its address, what is chosen, and the run manager."""
