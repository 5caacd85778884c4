"""The script that Streamlit runs for every page: page settings, navigation, the page itself, and the waiting calls.

It is inside the folder `pages`: beside a folder of that name, Streamlit would take its files for pages of its older kind,
and send open tabs to them after a restart.
"""

from contextlib import suppress

import streamlit as st

from ui.session_view import page_keys
from ui.shell import appearance, page_scripts, script_turns, styles
from ui.state import address, navigation, runs
from ui.state.banners import waiting

with script_turns.turn():
    st.set_page_config(page_title="Agent Playground", page_icon=appearance.icon(), layout="wide", initial_sidebar_state=240)
    styles.apply()
    st.logo(appearance.wordmark(), icon_image=appearance.icon(), size="large")
    page = st.navigation(navigation.pages(), position="hidden")
    navigation.arrive(page.title)
    links, above = st.sidebar.container(), st.sidebar.container()
    try:
        with suppress(navigation.NothingToShow):
            navigation.check(page.title)
            page.run()
    finally:
        with links:  # after the page, which users wait for
            navigation.show(page.title)
    if runs.is_ready():
        with above:
            waiting.show(runs.manager())
    page_keys.show(address.written())
    page_scripts.pass_clicks_through_help()
    page_scripts.tell_drawn(address.written(), address.unheard(), address.heard)
