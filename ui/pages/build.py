"""The Build page: all teams, or the one in `?team=`."""

import streamlit as st

from ui.build import page
from ui.state import address

with st.container(key="build"):
    page.show(address.current())
