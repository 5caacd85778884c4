"""A session outside of the app: the page that replays it by itself, and the dialogs that export and import."""
