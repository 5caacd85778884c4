"""The Playground page: run a pipeline and watch it."""

import streamlit as st

from ui.demo import bar
from ui.forks import actions, dialog, head
from ui.playground import conversation, header, session_list
from ui.state import places

actions.lead()
bar.lead()
place = places.find()
bar.show(place)
above = st.container(key="above")
conversation.show(place)  # first: it has the most to fetch
with above:
    header.show(place)
    head.show(place)
session_list.show(place)
dialog.show(place)
