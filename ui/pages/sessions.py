"""The Sessions page: find, tag, delete and compare sessions."""

import streamlit as st

from ui.sessions import page
from ui.state import address

with st.container(key="sessions"):
    page.show(address.current())
