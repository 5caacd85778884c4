"""The Lessons page: the course, a lesson step by step, its handout and the teacher's notes."""
