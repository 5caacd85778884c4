"""Who may reach the app, and who may change what it keeps."""
