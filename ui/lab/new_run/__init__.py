"""The form of the Lab page that begins a run, with what was typed into it."""
