"""Model files that run inside the playground: the present ones, the one in memory, and how to get more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from agents.models import INSTALL_LOCAL, MODEL_CATALOGUE, LoadedModel, lacks_extra, models_folder
from ui.settings.models import actions
from ui.text.amounts import bytes_in_words, seconds_in_words
from ui.text.labels import plain

PULL = "playground models pull"


def show(provider: str, found: Mapping[str, int], loaded: Iterable[LoadedModel]) -> None:
    """Draws the files with their sizes, those that are in memory, and what is missing to run one."""
    if lacks_extra():
        st.markdown("Model files need an extra. Start the playground with it:")
        st.code(INSTALL_LOCAL, language=None)
    elif not found:
        st.markdown("No model file is in the models folder yet. Fetch one, or put a `.gguf` file there.")
    in_memory = {model.name: model for model in loaded}
    for name in dict.fromkeys([*found, *in_memory]):
        _file(provider, name, found.get(name), in_memory.get(name))


def _file(provider: str, name: str, size: int | None, held: LoadedModel | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"file_{name}"):
        said = f" &ensp;:gray[{bytes_in_words(size)}]" if size is not None else ""
        st.markdown(f"{plain(name)}{said}", width="content")
        if held is not None:
            st.badge("in memory", icon=":material/memory:", color="blue")
            st.caption(in_words(held), width="content")
            st.button("Unload", key=f"unload_{name}", type="tertiary", on_click=actions.unload, args=(provider, name))


def in_words(held: LoadedModel) -> str:
    """Memory and speed of a loaded model, e.g. "1.2 GB of memory, loaded in 2.2 s, reads 28, writes 11 tokens/s"."""
    said = [f"{bytes_in_words(held.memory_bytes)} of memory", f"loaded in {seconds_in_words(held.loaded_in)}"]
    said.append(f"{held.n_ctx:,} tokens of context")
    speeds = [("reads", held.prompt_tokens_per_second), ("writes", held.tokens_per_second)]
    if measured := [f"{does} {speed:.0f}" for does, speed in speeds if speed is not None]:
        said.append(f"{', '.join(measured)} tokens/s")
    if held.running:
        said.append("at work")
    return ", ".join(said)


def show_more(found: Mapping[str, int]) -> None:
    """Draws how to get a file."""
    with st.expander("Get a model file", expanded=not found, icon=":material/download:"):
        ways = {name: f"**{plain(name)}**, {_size(name)}: {plain(MODEL_CATALOGUE[name].about)}" for name in MODEL_CATALOGUE}
        ways["OWNER/REPOSITORY/FILE.gguf"] = "**Any other** GGUF file of a public repository on the hub."
        for name, said in ways.items():
            st.caption(said)
            st.code(f"{PULL} {name}", language=None, wrap_lines=True)
        st.caption("Or put a file into the **models folder**:")
        st.code(str(models_folder()), language=None, wrap_lines=True)


def _size(name: str) -> str:
    known = MODEL_CATALOGUE[name].file_bytes
    return bytes_in_words(known) if known else "of unknown size"
