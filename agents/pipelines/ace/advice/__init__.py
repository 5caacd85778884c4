"""Free questions: general advice, judged by a rubric, and the strategies that one answer leaves for the next."""
