"""Where the progress of learners is kept."""
