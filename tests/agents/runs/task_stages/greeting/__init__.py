"""A pipeline whose desk calls an agent that talks with the user until it knows the name."""
