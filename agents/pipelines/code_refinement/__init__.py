"""A writer writes a function; a checker without a model checks it and a refiner fixes it, until nothing is found."""
