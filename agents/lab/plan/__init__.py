"""What a run is begun with, the plan of an arm, and the samples in their order."""
