"""What the review finds in a pipeline, below its lesson; in a built-in one, what it would find without a safeguard."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import BUILT_IN, Pipeline
from agents.review import Finding, review_pipeline, without_safeguard
from ui.text.labels import plain

_SIGNS = {"error": ":red[✗]", "warning": ":orange[!]"}


def show(pipeline: Pipeline) -> None:
    """Draws the findings. Built-in pipelines have none, which a test makes sure of."""
    if pipeline.name in BUILT_IN:
        if (known := without_safeguard(pipeline)) is not None:
            safeguard, found = known
            _draw(found, f"Nothing was found before a run. Without {plain(safeguard)}, the review would say:")
        return
    found = review_pipeline(pipeline)
    if found:
        _draw(found, "Found by looking at the agents, before a run.")
    else:
        _draw(found, "The agents were looked at before a run, and nothing was found.")


def _draw(found: list[Finding], caption: str) -> None:
    st.subheader("Problems", anchor=False)
    st.caption(caption)
    with st.container(key="problems", gap="small"):
        for finding in found:
            place = f"**{plain(finding.agent)}** · {plain(finding.field)}"
            st.markdown(
                f"{_SIGNS[finding.rule.level]} {place}: {plain(finding.text)}  \n:small[{finding.rule.why}]",
            )
