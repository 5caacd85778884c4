"""A folder of lists, and two agents for it: one may only look and plan, the other may write."""
