"""The Help page: the documents."""

import streamlit as st

from ui.help import page
from ui.state import address

with st.container(key="help"):
    page.show(address.current())
