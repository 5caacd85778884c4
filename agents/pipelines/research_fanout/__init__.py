"""Three researchers look at a topic at the same time, each from a viewpoint of its own; a fourth agent joins their notes."""
