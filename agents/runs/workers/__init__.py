"""Worker processes: runs of users' packages outside of the server, which their code can neither stop nor fill."""
