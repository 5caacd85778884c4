"""What is learned from questions in any words."""
