"""The drawing of *Watch it learn*: a component of SVG and text."""
