"""The Playground page: run a pipeline and watch it."""

import streamlit as st

from ui import conversation, header, places, session_list
from ui.demo import bar

bar.lead()
place = places.find()
bar.show(place)
above = st.container(key="above")
conversation.show(place)  # first, because it has the most to fetch
with above:
    header.show(place)
session_list.show(place)
