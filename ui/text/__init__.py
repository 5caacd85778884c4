"""Labels, and safe display of text from outside."""
