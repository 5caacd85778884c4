"""The Playbook page: see knowledge grow, and change it by hand."""

import streamlit as st

from ui.playbook import page
from ui.state import address

with st.container(key="playbook"):
    page.show(address.current())
