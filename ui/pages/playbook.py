"""The Playbook page: watch playbooks grow, and edit them."""

import streamlit as st

from ui.playbook import page
from ui.state import address

with st.container(key="playbook"):
    page.show(address.current())
