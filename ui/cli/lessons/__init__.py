"""The commands for lessons: begin one, test one, and grade a class."""
