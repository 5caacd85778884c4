"""The Playground page: run a pipeline and watch it."""

import streamlit as st

from ui import conversation, header, places, session_list

place = places.find()
above = st.container(key="above")
conversation.show(place)  # first, because it has the most to fetch
with above:
    header.show(place)
session_list.show(place)
