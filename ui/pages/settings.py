"""The Settings page: connect models, and choose what counts for all sessions."""

import streamlit as st

from ui import address
from ui.settings import page

with st.container(key="settings"):
    page.show(address.current())
