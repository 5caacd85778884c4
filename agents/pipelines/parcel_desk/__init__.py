"""A parcel's weight chooses its way through a graph; the carrier is called again while its line is engaged."""
