"""The Playbook page: see knowledge grow, and change it by hand."""

import streamlit as st

from ui import address
from ui.playbook import page

with st.container(key="playbook"):
    page.show(address.current())
