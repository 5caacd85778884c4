"""The Cases page: sessions that were right, kept as tests."""

import streamlit as st

from ui.cases.case_list import draw_cases
from ui.state import address, places

with st.container(key="cases"):
    st.header("Cases", anchor=False)
    draw_cases(places.manager(), address.current())
