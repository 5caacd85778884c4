"""*Teach from a list*: a table of questions and right answers, run as sessions, one a row."""
