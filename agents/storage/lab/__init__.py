"""What the Lab stores: the results of runs and the scores of measurements, each in a SQLite file of its own."""
