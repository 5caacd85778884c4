"""What a team is on the disk: its files, their revisions, and a zip file of them."""
