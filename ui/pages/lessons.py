"""The Lessons page: the course, or the lesson of the pipeline in `?pipeline=`."""

import streamlit as st

from ui.lessons import page
from ui.state import address

with st.container(key="lessons"):
    page.show(address.current())
