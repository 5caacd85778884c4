"""Keeps a page up to date with the user packages: names those that are being imported, and redraws it when one changes."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from agents.pipelines import Catalog
from ui.text.labels import plain

WATCH_SECONDS = 2.0
"""Seconds between two looks at the files. There are none without user packages."""


def show(catalog: Catalog) -> None:
    """Names the packages that are being imported, and says if the folder has none."""
    if not catalog.has_folder:
        return
    if names := [name for name in catalog.importing if name not in catalog.broken]:
        st.caption(f"Still being imported: {plain(', '.join(names))} …")
    elif reason := catalog.empty_reason:
        st.info(plain(reason), icon=":material/folder_off:")
    _watch(catalog, catalog.revision())


@st.fragment(run_every=WATCH_SECONDS)
def _watch(catalog: Catalog, before: Hashable) -> None:
    """Redraws the page when a package was changed, added or removed, or when an import has ended."""
    if catalog.revision() != before:
        st.rerun()
