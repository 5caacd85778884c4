"""The routes beside Streamlit's pages."""
