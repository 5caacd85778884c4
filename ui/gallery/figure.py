"""Draws the diagram of a pipeline."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import Pipeline
from ui.gallery import diagrams
from ui.state.options import families, faults


def draw(pipeline: Pipeline, *, large: bool = False) -> None:
    """Draws the diagram; `large` with full names and each agent's tools."""
    models = faults.choices_of_models(pipeline.root_agent)
    st.html(diagrams.diagram(families.tree_of(pipeline), models, large=large))
