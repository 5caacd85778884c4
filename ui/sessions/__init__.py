"""The Sessions page: find, tag, delete and compare sessions."""
