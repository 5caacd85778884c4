"""A pipeline that does what its message says: `talk 3`, `hang`, `fail`, `think`."""
