"""What pages are drawn with: HTML, pagers."""
