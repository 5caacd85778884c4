"""The page of the lab demos: lab runs to step through."""

import streamlit as st

from ui.demo.lab import page
from ui.state import address

with st.container(key="lab_demo"):
    page.show(address.current())
