"""The app's own routes, beside Streamlit's."""
