"""A pipeline that writes state of all sessions: the message under `app:note`, or, at `teach`, a bullet for the playbook."""
