"""The Playbook page, part by part: a playbook's bullets and revisions, and what a person does with them."""
