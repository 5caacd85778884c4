"""The eval files of ADK: its EvalSet, and the older lists of turns."""
