"""Lab runs and measurements that this process works on in the background."""
