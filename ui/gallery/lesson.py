"""One pattern: diagram, lesson, source with its main lines marked, samples to run, and things to break."""

from __future__ import annotations

import streamlit as st

from agents import PlaygroundError
from agents.lessons import LESSON_FILE
from agents.pipelines import Break, Fault, Pipeline
from ui.demo.watch import entry
from ui.demo.watch.arms import PIPELINE
from ui.gallery import diagrams, problems, source
from ui.state import imports, navigation, places, runs
from ui.state.address import Address
from ui.state.banners import missing_models
from ui.state.notices import NOTICE, Notice
from ui.state.options import control_values, families, faults
from ui.state.places import Place
from ui.text.labels import plain, title_of
from ui.text.visible_text import visible_directions

_TAB = "lesson"
"""Tab of the session view that keeps the lesson at hand."""


def show() -> None:
    """Draws the page of the pipeline that the URL names; without one, a link to the overview."""
    place = places.find()
    pipeline = place.pipeline
    _neighbours(place)
    _head(place)
    missing_models.show(place)
    if notice := st.session_state.pop(NOTICE, None):
        (st.error if notice.kind == "error" else st.info)(plain(notice.text))
    st.markdown(plain(place.pipeline.card.summary))
    with st.container(key="diagram", border=True, horizontal_alignment="center"):
        diagrams.draw(pipeline, large=True)
    left, right = st.container(key="lesson_and_samples").columns([3, 2], gap="large")
    with left, st.container(key="lesson"):
        st.markdown(visible_directions(pipeline.card.lesson))
        ends_when = pipeline.card.ends_when
        st.caption(f"It ends when {plain(ends_when[:1].lower() + ends_when[1:])}")
    with right:
        _samples(place)
        _breaks(place)
    problems.show(pipeline)
    _source(pipeline)


def _neighbours(place: Place) -> None:
    """Draws links to all patterns in the sidebar, and follows their files."""
    with st.sidebar, st.container(key="patterns", gap="xxsmall"):
        imports.show(place.manager.catalog)
        for family, pipelines in families.by_family(place.manager.catalog).items():
            st.caption(family)
            for other in pipelines:
                here = other.name == place.pipeline.name
                with st.container(key="pattern_open" if here else f"pattern_{other.name}"):
                    navigation.to_pattern(other.name, place.address, plain(other.card.title))


def _head(place: Place) -> None:
    card = place.pipeline.card
    with st.container(key="lesson_head", horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(width="stretch", gap="xsmall"):
            navigation.to_gallery(place.address, "← All patterns")
            st.header(f"{plain(card.title)}  :small[:blue-badge[{plain(card.pattern)}]]", anchor=False)
        if place.pipeline.name in runs.workspace().teams.names():
            navigation.to_team("Edit", place.pipeline.name, place.address)
        else:
            navigation.to_copy("Edit a copy", place.pipeline.name, place.address)
        if (place.pipeline.folder / LESSON_FILE).is_file():
            navigation.to_lesson("Start the lesson", place.pipeline.name, place.address)
        navigation.to_new_session("Open in the Playground", place.pipeline.name, place.address, tab=_TAB)
        if place.pipeline.name == PIPELINE:
            _watch_button(place)
        if card.samples:
            _run_button(place, "▶ Run it", "run_it", card.samples[0], primary=True)


def _watch_button(place: Place) -> None:
    if st.button(entry.LABEL, key="watch_it_learn", icon=entry.ICON, help=entry.HELP, disabled=place.is_blocked):
        try:
            there = entry.begin(place.manager, place.address.model)
        except PlaygroundError as error:
            st.session_state[NOTICE] = Notice("error", str(error))
            st.rerun()
        navigation.to_playbook_page(there)


def _samples(place: Place) -> None:
    if not place.pipeline.card.samples:
        return
    st.subheader("Run it", anchor=False)
    st.caption("Each runs in the Playground, where you can watch it.")
    with st.container(key="run_samples", gap="xsmall"):
        for number, sample in enumerate(place.pipeline.card.samples):
            _run_button(place, f"▶ {plain(title_of(sample, length=70))}", f"run_sample_{number}", sample)


def _breaks(place: Place) -> None:
    if not place.pipeline.card.breaks:
        return
    st.subheader("Break it", anchor=False)
    st.caption("Something goes wrong on purpose. Watch how the agents react, and compare with the lesson.")
    for number, broken in enumerate(place.pipeline.card.breaks):
        with st.container(border=True, key=f"break_{number}", gap="xsmall"):
            st.markdown(f"**{plain(broken.title)}**")
            st.markdown(plain(broken.look_for))
            st.caption("  \n".join(_what_is_done(place.pipeline, broken)))
            message = broken.message or next(iter(place.pipeline.card.samples), "")
            _run_button(place, "⚡ Break it", f"break_it_{number}", message, broken)


def _what_is_done(pipeline: Pipeline, broken: Break) -> list[str]:
    """The differences from a plain run, in words."""
    said = [f":red[⚡] {plain(faults.in_words(fault))}" for fault in broken.faults]
    if broken.settings:
        said.append(f"Set: {plain(control_values.in_words(pipeline.card, broken.settings))}")
    if broken.message:
        said.append(f"Says: “{plain(title_of(broken.message, length=90))}”")
    return said


def _source(pipeline: Pipeline) -> None:
    """Draws the files in tabs; only the open one is sent to the browser."""
    names = source.files(pipeline)
    if not names:
        return
    st.subheader("Source", anchor=False)
    st.caption(f"All of it, from the folder {plain(pipeline.folder.name)}. The marked lines are the ones that matter most.")
    texts = {name: source.text_of(pipeline, name) for name in names}
    marked = {name: source.marks(texts[name], name, pipeline.card.highlights) for name in names}
    labels = [f"{plain(name)} · {len(marked[name])} marked" if marked[name] else plain(name) for name in names]
    tabs = st.tabs(labels, key=f"source_{pipeline.name}", on_change="rerun")
    for name, tab in zip(names, tabs, strict=True):
        if tab.open:
            tab.html(source.as_html(texts[name], marked[name], label=name))


def _run_button(
    place: Place, label: str, key: str, message: str, broken: Break | None = None, *, primary: bool = False
) -> None:
    blocked = place.is_blocked or not message
    if st.button(label, key=key, type="primary" if primary else "secondary", disabled=blocked):
        _run(place, message, broken)


def _run(place: Place, message: str, broken: Break | None) -> None:
    wrong: tuple[Fault, ...] = broken.faults if broken else ()
    state = dict(broken.settings) if broken else {}
    try:
        begun = place.manager.start(place.pipeline.name, message, model=place.options.model, state=state, faults=wrong)
    except PlaygroundError as error:
        st.session_state[NOTICE] = Notice("error", str(error))
        st.rerun()
    navigation.to_playground(
        Address(
            pipeline=place.pipeline.name,
            session=begun.session_id,
            tab=_TAB,
            model=place.address.model,
            faults=tuple(map(str, wrong)),
        )
    )
