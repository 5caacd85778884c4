"""The Settings page: connect models, and set defaults for all sessions."""

import streamlit as st

from ui.settings import page
from ui.state import address

with st.container(key="settings"):
    page.show(address.current())
