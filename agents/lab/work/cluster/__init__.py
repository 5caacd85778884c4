"""Work on samples in other processes and on other machines, by Ray. Only `driver` and `worker` import Ray."""
