"""What a run is described by: data, arms and seeds, and the text that says so."""
