"""Free questions: how they are answered, judged by a rubric and learned from."""
