"""The Playbook page: a playbook's bullets, revisions, charts, comparison, import and export."""
