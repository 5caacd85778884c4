"""`playground check`: cases in the terminal and as JUnit XML."""
