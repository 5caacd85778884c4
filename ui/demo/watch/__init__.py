"""*Watch it learn*: the same questions with a playbook that learns, with one kept empty, and without what was learned."""
