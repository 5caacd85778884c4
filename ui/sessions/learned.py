"""What sessions of coding agents teach, as one path: import them, see what went wrong, try the bullets, keep what passed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from agents import PersonError, PlaygroundError, SessionFilter
from agents.access import Action, permits
from agents.ace import skill_name, zip_skill
from agents.pipelines import CODING_SESSION
from agents.transcripts import (
    EXAMPLE,
    RULES,
    Lesson,
    Place,
    Trial,
    import_folder,
    keep_passed,
    learned_skill,
    lessons_of,
    read_places,
    samples_of,
    transcript_files,
    try_lessons,
)
from ui.access import identity, owner
from ui.sessions import actions
from ui.sharing.dialogs import masked_words
from ui.state import navigation, runs
from ui.state.address import Address
from ui.text.labels import many, plain, title_of
from ui.text.visible_text import visible

if TYPE_CHECKING:
    from agents.runs import RunManager

_FOLDER, _NAME, _SAID, _KEPT = "learn_folder", "learn_name", "learned_said", "learned_kept"
_LESSONS, _TRIALS, _WANTED = "learned_lessons", "learned_trials", "learned_wanted"
_SHOWN, _PLACES = 30, 3
"""Most lessons shown, and most places of each; the others are counted."""
_USUAL = (Path("~/.claude/projects"), Path("~/.codex/sessions"))


def show(manager: RunManager, here: Address) -> None:
    """Draws the path."""
    st.markdown("#### 1. Sessions of a coding agent")
    _bring_in(manager)
    sessions = [row for row in manager.sessions.each(SessionFilter(app_name=CODING_SESSION)) if not row.fork]
    if not sessions:
        st.caption("None is here yet. The example has five small ones, and needs no key.")
        return
    lessons = _lessons(manager, tuple((row.id, row.events) for row in sessions))
    places = sum(len(one.places) for one in lessons)
    st.markdown("#### 2. What went wrong again and again")
    count = f"{many(places, 'failure')} that were repaired, of {many(len(lessons), 'kind')}"
    st.caption(f"{many(len(sessions), 'session')}: {count}.")
    if not lessons:
        return
    trials = {one.lesson.bullet_id: one for one in _trials(lessons)}
    for lesson in lessons[:_SHOWN]:
        _lesson(manager, here, lesson, trials.get(lesson.bullet_id))
    if len(lessons) > _SHOWN:
        st.caption(f"… and {len(lessons) - _SHOWN:,} more.")
    samples = "".join(f"{line}\n" for line in samples_of(lessons))
    st.download_button(
        "Samples for the Lab", samples, "samples.jsonl", "application/jsonl", key="learn_samples", on_click="ignore"
    )
    _try(manager, lessons, list(trials.values()))
    if any(one.passed for one in trials.values()):
        _keep(list(trials.values()))


def _bring_in(manager: RunManager) -> None:
    usual = next((str(path) for path in _USUAL if path.expanduser().is_dir()), str(_USUAL[0]))
    allowed = owner.is_owner() and permits(identity.current(), Action.IMPORT)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("A folder on this machine", value=usual, key=_FOLDER, disabled=not allowed, width=420)
        st.button("Import all", key="learn_import", disabled=not allowed, on_click=bring_in, args=(_FOLDER,))
        st.button("Try the example", key="learn_example", disabled=not allowed, on_click=bring_in)
    st.caption(
        "Keys, tokens and passwords are masked. Nothing in the sessions is run. One that is here already stays as it is."
    )
    if (wanted := st.session_state.pop(_WANTED, None)) is not None:
        _import(manager, Path(wanted).expanduser())
    if said := st.session_state.get(_SAID):
        st.info(plain(said), icon=":material/info:")
    if problem := st.session_state.get(actions.PROBLEM):
        st.error(plain(problem), icon=":material/block:")


def _import(manager: RunManager, folder: Path) -> None:
    """Imports a folder in the run of the script: an action of the user's ends it, and what was imported stays."""
    st.session_state.pop(actions.PROBLEM, None)
    masked, counts = Counter[str](), Counter[str]()
    try:
        if not folder.name or not folder.is_dir():
            raise PersonError(f"There is no folder {folder}. Type the path of one on the machine that runs the playground.")
        files = transcript_files(folder)
        bar = st.progress(0.0, "Reading …")
        for number, one in enumerate(import_folder(manager, files, below=folder), 1):
            masked.update({} if one.is_known else one.masked)
            counts["failed" if one.problem else "known" if one.is_known else "new"] += 1
            bar.progress(number / len(files), f"{number:,} of {len(files):,}")
        bar.empty()
    except (PlaygroundError, OSError) as error:
        st.session_state[actions.PROBLEM] = str(error)
        return
    left = f", {counts['failed']:,} files without one" if counts["failed"] else ""
    st.session_state[_SAID] = (
        f"{many(counts['new'], 'session')} imported, {counts['known']:,} already here{left}. {masked_words(masked)}"
    )


def _lessons(manager: RunManager, sessions: tuple[tuple[str, int], ...]) -> list[Lesson]:
    """What the sessions teach; read again when one was added or went on."""
    known = st.session_state.get(_LESSONS)
    if known is None or known[0] != sessions:
        with st.spinner("Looking for failures and repairs …"):
            known = st.session_state[_LESSONS] = (sessions, lessons_of(read_places(manager)))
        for old in (_TRIALS, _KEPT):
            st.session_state.pop(old, None)
    return known[1]


def _trials(lessons: Sequence[Lesson]) -> list[Trial]:
    known = st.session_state.get(_TRIALS)
    return [] if known is None or known[0] is not lessons else known[1]


def _lesson(manager: RunManager, here: Address, lesson: Lesson, trial: Trial | None) -> None:
    repair = lesson.places[-1].repair
    mark = ":gray[○]" if trial is None else ":green[✓]" if trial.passed else ":gray[–]"
    said = repair.problem if lesson.kind in ("correction", "undone") else f"{repair.tried}: {repair.problem}"
    with st.expander(f"{mark} **{many(lesson.sessions, 'session')}** · {plain(title_of(said, length=110))}"):
        st.caption(RULES[lesson.kind])
        for place in lesson.places[:_PLACES]:
            _place(manager, here, place, "learned from" if place in lesson.learned_from else "held out")
        if len(lesson.places) > _PLACES:
            st.caption(f"… and at {len(lesson.places) - _PLACES:,} more places.")
        if lesson.bullet:
            st.markdown(f"Bullet {lesson.bullet_id}, of the section {lesson.section}:")
            st.code(visible(lesson.bullet), language=None, wrap_lines=True)
        if trial is not None:
            held = f"Of {many(trial.cases, 'held-out case')}, {trial.before} held without it and {trial.alone} with it."
            st.markdown(f":green[Passed.] {held}" if trial.passed else f"Not passed: {plain(trial.why)}")


def _place(manager: RunManager, here: Address, place: Place, what: str) -> None:
    session = manager.sessions.find(place.pipeline, place.session_id)
    if session is None:
        return
    repair = place.repair
    st.markdown(f"{plain(title_of(place.title, length=60))} :small[:gray[{what}]]")
    with st.container(horizontal=True, gap="small"):
        for label, seq in (("→ Failure", repair.failed_at), ("→ Repair", repair.repaired_at)):
            number = manager.sessions.event_number(place.pipeline, place.session_id, seq)
            navigation.to_place(f"{label}, event {number:,}", place.pipeline, place.session_id, here, event=number)
    st.code(visible(f"{repair.tried}\n{repair.problem}\n→ {repair.repair}"), language=None, wrap_lines=True)


def _try(manager: RunManager, lessons: list[Lesson], trials: Sequence[Trial]) -> None:
    st.markdown("#### 3. Which bullet would have prevented it")
    st.caption(
        "A bullet is made of the earlier sessions. It passes if cases made of the later ones fail without it and hold with "
        "it. The simulated model answers them. Bullets for tests, edits and other tools are sentences that take a model: "
        "teach a playbook from the samples with one."
    )
    with_cases = sum(bool(one.bullet and one.held_out) for one in lessons)
    label = f"Try {many(with_cases, 'bullet')}"
    if st.button(label, key="learn_try", type="secondary" if trials else "primary", disabled=not with_cases):
        bar = st.progress(0.0, "Trying …")

        def progress(done: int, total: int) -> None:
            bar.progress(done / total, "Trying …")

        found = asyncio.run(try_lessons(manager.catalog, lessons, progress=progress))
        st.session_state[_TRIALS] = (lessons, found)
        st.rerun()


def _keep(trials: list[Trial]) -> None:
    passed = sum(one.passed for one in trials)
    st.markdown(f"#### 4. Keep the {many(passed, 'bullet')} that passed")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input("Name", value="lessons", key=_NAME, width=240).strip() or "lessons"
        st.button(
            "Keep as a playbook",
            key="learn_keep",
            type="primary",
            disabled=not permits(identity.current(), Action.EDIT_PLAYBOOK),
            on_click=keep,
            args=(trials, _NAME),
        )
        folder = skill_name(name)
        st.download_button(
            "Skill (SKILL.md)",
            lambda: zip_skill(learned_skill(trials, name=folder), folder),
            f"{folder}.zip",
            "application/zip",
            key="learn_skill",
            on_click="ignore",
        )
    if kept := st.session_state.get(_KEPT):
        st.success(plain(kept), icon=":material/check:")
    st.caption("MCP clients read the playbook from `playground mcp`; coding agents load the skill's folder.")


@actions.action
def bring_in(folder_key: str | None = None) -> None:
    """Has the sessions of the typed folder imported, or those of the example."""
    runs.manager().require(Action.IMPORT)
    st.session_state[_WANTED] = str(EXAMPLE) if folder_key is None else str(st.session_state.get(folder_key) or "")


@actions.action
def keep(trials: Sequence[Trial], name_key: str) -> None:
    """Keeps the bullets that passed as a playbook."""
    name = str(st.session_state.get(name_key) or "lessons").strip()
    new = keep_passed(runs.manager(), trials, name)
    st.session_state[_KEPT] = f"The playbook {name} has the bullets that passed; {new:,} of them are new."
