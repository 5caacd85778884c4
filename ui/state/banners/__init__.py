"""What a page says of things that need the user: calls that wait, models that cannot answer."""
