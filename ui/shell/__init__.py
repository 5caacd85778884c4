"""What surrounds every page: the theme, style sheets and small scripts."""
