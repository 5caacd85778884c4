"""Large changes of playbooks: progress, cancelling, and the result.

Once a change is being stored, it goes on when the page is left. Every tab shows its progress; the tab that began it shows
its result.
"""

from __future__ import annotations

import streamlit as st

from agents import PlaygroundError
from agents.ace import LARGE_DELTA, LARGE_FILE, LargeJob, LargeJobStatus
from ui.playbook import view_state
from ui.state import runs
from ui.text.labels import many, plain

MINE = "large_change"
"""The key of the large change that this tab began."""
EVERY = 1.0
"""Seconds between two updates of the progress."""
_PHASES = {
    "reading": "reading the file",
    "checking": "reading and checking its lines",
    "ready": "read; it waits to be imported",
    "storing": "storing",
    "finishing": "finishing",
}


def mine() -> LargeJob | None:
    """The large change that this tab began, until its result was shown."""
    key = st.session_state.get(MINE)
    return _job(key) if key else None


def _job(key: str) -> LargeJob | None:
    jobs = runs.manager().large
    return None if jobs is None else jobs.of_key(key)


def settle() -> None:
    """Shows the result of the tab's large change, once it has ended."""
    job = mine()
    if job is None or not (status := job.status).is_over:
        return
    del st.session_state[MINE]
    match status.phase:
        case "done":
            done = f"takes back what revision {job.undoes:,} did" if job.undoes else "has what was imported"
            text = f"Revision {status.revision:,} of {status.playbook} {done}. {_imported(status)}".rstrip()
            st.session_state[view_state.NOTICE] = {"text": text, "playbook": status.playbook, "undo": status.revision}
        case "cancelled":
            st.session_state[view_state.NOTICE] = {
                "text": f"{job.title}: cancelled. Nothing was stored.",
                "playbook": None,
                "undo": None,
            }
        case _:
            st.session_state[view_state.PROBLEM] = f"{job.title}: {status.message}"


def show() -> None:
    """Draws the progress of the current large change, from whichever tab."""
    jobs = runs.manager().large
    job = None if jobs is None else jobs.current
    if job is None or job.status.is_over or (job is mine() and not job.is_wanted):  # the dialog shows it
        return

    @st.fragment(run_every=EVERY)
    def strip() -> None:
        status = job.status
        if status.is_over:
            st.rerun()
        with st.container(key="large_change", horizontal=True, vertical_alignment="center", gap="small"):
            draw(job, status)
            st.button("Cancel", key="cancel_large", on_click=cancel, args=(job.key,))
        st.caption("It goes on when this page is left. Nothing of it counts before all of it is stored.")

    strip()


def draw(job: LargeJob, status: LargeJobStatus) -> None:
    """Draws a job's activity and progress."""
    part = status.done / status.of if status.of else 0.0
    into = f" into {status.playbook}" if status.playbook and not job.undoes else ""
    said = f"{job.title}{into}: {_PHASES.get(status.phase, status.phase)}{_amount(status)} · {status.seconds:.0f} s"
    st.progress(min(1.0, part), plain(said))


def cancel(key: str) -> None:
    """Cancels a large change. One that is stored already stays."""
    try:
        if (job := _job(key)) is not None:
            job.cancel()
    except PlaygroundError as error:
        st.session_state[view_state.PROBLEM] = str(error)


def abandon() -> None:
    """Cancels the tab's large change if the tab has not told it to store anything."""
    job = mine()
    if job is not None and not job.is_wanted:
        job.cancel()
        del st.session_state[MINE]


def begin_undo(name: str, revision: int) -> bool:
    """Begins to undo a delta if it is a large one; returns whether it is."""
    jobs = runs.manager().large
    records = runs.manager().playbooks(name).history(limit=1, before=revision + 1)
    if jobs is None or not records or len(records[0].applied) < LARGE_DELTA:
        return False
    st.session_state[MINE] = jobs.undo(name, revision).key
    return True


def is_large(content: bytes) -> bool:
    """Whether a file is large enough to be read by a process of its own."""
    return len(content) > LARGE_FILE and runs.manager().large is not None


def begin_reading(content: bytes, name: str) -> bool:
    """Begins to read a large file, or shows why that is not possible now."""
    jobs = runs.manager().large
    assert jobs is not None
    try:
        st.session_state[MINE] = jobs.read(content, name).key
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return False
    return True


def _amount(status: LargeJobStatus) -> str:
    if not status.of:
        return ""
    if status.phase == "reading":
        return f" {status.done / 1e6:.0f} of {status.of / 1e6:.0f} MB"
    return f" {status.done:,} of {status.of:,}"


def _imported(status: LargeJobStatus) -> str:
    return f"Imported {many(status.preview['bullets'], 'bullet')}." if status.preview else ""
