"""Draws the diagram of a pipeline."""

from __future__ import annotations

import streamlit as st

from agents.pipelines import Pipeline
from ui.gallery import diagrams
from ui.playground import families
from ui.state import faults


def draw(pipeline: Pipeline, *, large: bool = False) -> None:
    """Draws the diagram; `large` with full names and each agent's tools."""
    tree = families.tree_of(pipeline)
    st.graphviz_chart(
        diagrams.diagram(tree, faults.choices_of_models(pipeline.root_agent), large=large),
        alt=f"Agents of {pipeline.card.title}: {diagrams.in_words(tree)}",
    )
