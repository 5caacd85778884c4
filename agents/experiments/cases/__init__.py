"""Cases: sessions that were right, kept as tests, and the gate that guards a playbook with them."""
