"""Shows which user packages are still being imported, and redraws the page when one import ends."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import Catalog
from ui.text.labels import plain

WATCH_SECONDS = 3.0
"""Seconds between two checks. There are none once every import has ended."""


def show(catalog: Catalog) -> None:
    """Names the packages that are being imported. Those reported as hanging are listed with the broken ones."""
    if not (importing := catalog.importing):
        return
    if names := [name for name in importing if name not in catalog.broken]:
        st.caption(f"Still being imported: {plain(', '.join(names))} …")
    _watch(catalog, _stand(catalog))


@st.fragment(run_every=WATCH_SECONDS)
def _watch(catalog: Catalog, before: tuple[list[str], list[str]]) -> None:
    """Redraws the page when the set of imports under way has changed."""
    if _stand(catalog) != before:
        st.rerun()


def _stand(catalog: Catalog) -> tuple[list[str], list[str]]:
    return catalog.importing, list(catalog.broken)
