"""What users of several servers run in the benchmark of servers."""
