"""Changes of a playbook that another program proposes."""
