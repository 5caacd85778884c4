"""The script that Streamlit runs for every page: settings of the page, navigation, then the page itself.

It stands among the pages, not above them: beside a folder called `pages`, Streamlit would take their files for pages of
its older kind as well, and after a restart send open tabs to those.
"""

import streamlit as st

from ui import appearance, styles

st.set_page_config(page_title="Agent Playground", page_icon=appearance.icon(), layout="wide", initial_sidebar_state=240)
styles.apply()
st.logo(appearance.wordmark(), icon_image=appearance.icon(), size="large")
page = st.navigation([st.Page("playground.py", title="Playground", default=True)], position="hidden")
page.run()
