"""What pages are drawn with: HTML, charts, pagers."""
