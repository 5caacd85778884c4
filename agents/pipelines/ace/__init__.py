"""A playbook that grows: each answer leaves behind what the next one can use, in this session and in all others."""
