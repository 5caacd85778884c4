"""The Lab page: begin runs, watch their arms learn, and look at single answers."""
