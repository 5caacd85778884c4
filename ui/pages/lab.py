"""The Lab page: what a playbook is worth, measured."""

import streamlit as st

from ui.lab import page
from ui.state import address

with st.container(key="lab"):
    page.show(address.current())
