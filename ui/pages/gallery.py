"""The Gallery page: all patterns, or the one in `?pipeline=`."""

import streamlit as st

from ui.gallery import lesson, overview
from ui.state import address, navigation

here = address.current()
navigation.to_the_top(here)
with st.container(key="gallery"):
    if here.pipeline is None:
        overview.show(here)
    else:
        lesson.show()
