"""What the review finds in a pipeline, below its lesson."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import BUILT_IN, Pipeline
from agents.review import review_pipeline
from ui.text.labels import plain

_SIGNS = {"error": ":red[✗]", "warning": ":orange[!]"}


def show(pipeline: Pipeline) -> None:
    """Draws the findings. Built-in pipelines have none, which a test makes sure of, so they are not looked at."""
    if pipeline.name in BUILT_IN:
        return
    found = review_pipeline(pipeline)
    st.subheader("Problems", anchor=False)
    if not found:
        st.caption("The agents were looked at before a run, and nothing was found.")
        return
    st.caption("Found by looking at the agents, before a run.")
    with st.container(key="problems", gap="small"):
        for finding in found:
            place = f"**{plain(finding.agent)}** · {plain(finding.field)}"
            st.markdown(
                f"{_SIGNS[finding.rule.level]} {place}: {plain(finding.text)}  \n:small[{finding.rule.why}]",
            )
