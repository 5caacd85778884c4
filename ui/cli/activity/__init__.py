"""What users use, and who changed what."""
