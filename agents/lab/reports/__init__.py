"""What leaves the Lab: a run as a folder, and as one HTML page."""
