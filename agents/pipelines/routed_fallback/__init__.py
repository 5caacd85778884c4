"""An order counter with a second clerk: who takes over when the first one fails, and when the run fails instead."""
