"""`playground lab`: begins, resumes and compares lab runs."""
