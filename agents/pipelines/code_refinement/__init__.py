"""A writer writes a function; a checker without a model checks it and a refiner mends it, until nothing is found."""
