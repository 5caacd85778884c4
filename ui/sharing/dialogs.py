"""The dialogs that export and import a session, for any page.

A page opens one by `ask_export` or `ask_import`, as the callback of a button, and calls `show` in each run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.components import v2

from agents import PlaygroundError, SessionFileError
from agents.access import Action
from agents.runs import RunManager
from ui.access import owner
from ui.browser.bundle import bundle
from ui.dependencies.streamlit_private import free_upload
from ui.sharing.formats import FORMATS
from ui.state.notices import NOTICE, Notice
from ui.state.quick_input import uninterrupted
from ui.text.labels import many, plain, title_of
from ui.text.visible_text import visible_directions

if TYPE_CHECKING:
    from agents.sharing import Imported, SessionFile
    from agents.transcripts import ImportedTranscript

_OPEN, _READ, _DONE, _PROBLEM = "sharing", "sharing_read", "sharing_done", "sharing_problem"
_OPENED = "sharing_opened"
_FILE, _INTO, _MASK = "import_session_file", "import_session_into", "import_session_mask"
_KILO = 1000
_START = 1_000_000
"""Bytes at the beginning of a file that tell whose it is."""
_SHOWN = 8
"""Most state keys named of a scope, the largest; the others are counted."""
_ABOUT = {
    "session": "State of this session",
    "user": "State of the user, in all sessions of the pipeline",
    "app": "State of the pipeline, for everyone; the playbook is part of it",
}
_FOLDER = Path(__file__).parent
_mount_export = v2.component(
    "export", js=bundle(_FOLDER / "js" / "export.js"), css=(_FOLDER / "export.css").read_text(encoding="utf-8")
)


def ask_export(pipeline: str, session: str) -> None:
    """Opens the dialog that exports a session."""
    _open({"what": "export", "pipeline": pipeline, "session": session})


def ask_import(pipeline: str = "") -> None:
    """Opens the dialog that imports a session; `pipeline` is proposed for one whose own is not here."""
    _open({"what": "import", "pipeline": pipeline})


def times_opened() -> int:
    """How often a dialog was opened in this tab. A popover that has it in its key is closed when one opens."""
    return st.session_state.get(_OPENED, 0)


def show(manager: RunManager, on_imported: Callable[[Imported], None]) -> None:
    """Draws the open dialog, if there is one.

    Args:
        manager: Where the sessions are.
        on_imported: Called once a session was imported: says so, and shows it.
    """
    match st.session_state.get(_OPEN):
        case {"what": "export", "pipeline": str(pipeline), "session": str(session)}:
            _dialog("Export this session", lambda: _export(manager, pipeline, session))
        case {"what": "import", "pipeline": str(pipeline)}:
            _dialog("Import a session", lambda: _import(manager, pipeline, on_imported))
        case _:
            pass


def say_imported(added: Imported) -> None:
    """Says what came along with an imported session."""
    own = f" Its playbook is {added.playbooks[-1]}." if added.playbooks else ""
    count = "1 event" if added.events == 1 else f"{added.events:,} events"
    st.session_state[NOTICE] = Notice("info", f"Imported “{title_of(added.title)}”: {count}.{own}")


def _open(wanted: dict[str, str]) -> None:
    _close()
    st.session_state[_OPEN] = wanted
    st.session_state[_OPENED] = times_opened() + 1


def _close() -> None:
    for key in (_OPEN, _READ, _PROBLEM):
        st.session_state.pop(key, None)


def _dialog(title: str, draw: Callable[[], None]) -> None:
    @st.dialog(title, width="medium", on_dismiss=_close)
    def body() -> None:
        if st.session_state.pop(_DONE, False):
            st.rerun()
        if problem := st.session_state.get(_PROBLEM):
            st.error(plain(problem), icon=":material/block:")
        draw()

    body()


def _export(manager: RunManager, pipeline: str, session: str) -> None:
    file: SessionFile | None = st.session_state.get(_READ)
    if file is None:  # read once: only its sizes are shown
        from agents.sharing import export_session

        try:
            file = st.session_state[_READ] = export_session(manager, pipeline, session)
        except PlaygroundError as error:
            st.error(plain(str(error)), icon=":material/block:")
            return
    _mount_export(
        key="export",
        data={
            "pipeline": pipeline,
            "session": session,
            "scopes": [_scope(scope, sizes) for scope, sizes in file.state_sizes().items()],
            "formats": [{"name": name, "title": form.title, "about": form.about} for name, form in FORMATS.items()],
        },
        height="content",
    )


def _scope(scope: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    """What state of a scope there is, in words."""
    total = f"{many(len(sizes), 'key')}, {_size(sum(sizes.values()))}" if sizes else "nothing"
    largest = sorted(sizes.items(), key=lambda found: -found[1])
    about = ", ".join(f"{visible_directions(key[:60])} {_size(size)}" for key, size in largest[:_SHOWN])
    more = f" and {len(sizes) - _SHOWN:,} more" if len(sizes) > _SHOWN else ""
    return {"name": scope, "label": f"{_ABOUT[scope]}: {total}", "about": about + more, "empty": not sizes}


def _import(manager: RunManager, pipeline: str, on_imported: Callable[[Imported], None]) -> None:
    from agents.sharing import MAX_SESSION_FILE_BYTES

    owner.show_notice(Action.IMPORT)
    most = MAX_SESSION_FILE_BYTES // 1_000_000
    st.caption(
        "A file that was exported here as JSON lines, google-adk's session JSON, a session of Claude Code or Codex, or an "
        "ATIF trajectory. It is added with a new id and a playbook of its own; nothing that is here is changed, and nothing "
        f"in it is run. At most {most} MB. All of it is imported, or nothing."
    )
    upload = st.file_uploader("A file", key=_FILE, max_upload_size=most, disabled=not owner.may(Action.IMPORT))
    if upload is None:
        st.session_state.pop(_READ, None)
        return
    if _is_transcript(upload):
        _import_transcript(manager, upload, on_imported)
        return
    file = _read(upload)
    if isinstance(file, str):
        st.error(plain(file), icon=":material/block:")
        return
    st.markdown(f"**{plain(title_of(file.title, length=200))}**")
    st.caption(_contents(file))
    names = manager.catalog.names()
    if not _is_here(manager, file):
        st.info(plain(f"There is no pipeline {file.pipeline[:80]!r} here. Choose the one that it becomes a session of."))
        st.selectbox("Pipeline", names, index=names.index(pipeline) if pipeline in names else 0, key=_INTO)
    st.button(
        "Import",
        key="import_session_it",
        type="primary",
        disabled=not owner.may(Action.IMPORT),
        on_click=_take_in,
        args=(manager, file, upload, on_imported),
    )


def _is_transcript(upload: Any) -> bool:
    from agents.transcripts import may_be_transcript

    upload.seek(0)
    return may_be_transcript(upload.read(_START))


def _import_transcript(manager: RunManager, upload: Any, on_imported: Callable[[Imported], None]) -> None:
    st.markdown("**A session of a coding agent**")
    st.checkbox(
        "Mask keys, tokens and passwords",
        value=True,
        key=_MASK,
        help="They are told by their form. What was masked is said afterwards.",
    )
    st.button(
        "Import",
        key="import_session_it",
        type="primary",
        disabled=not owner.may(Action.IMPORT),
        on_click=_take_transcript,
        args=(manager, upload, on_imported),
    )


@uninterrupted
def _take_transcript(manager: RunManager, upload: Any, on_imported: Callable[[Imported], None]) -> None:
    from agents.pipelines import CODING_SESSION
    from agents.sharing import Imported
    from agents.transcripts import import_transcript

    masks: bool = st.session_state[_MASK]  # as it is ticked now: the click may be faster than the page is drawn anew
    st.session_state.pop(_PROBLEM, None)
    upload.seek(0)
    try:
        added = import_transcript(manager, upload, name=upload.name, mask=masks)
    except PlaygroundError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    free_upload(upload)
    _close()
    st.session_state[_DONE] = True
    session = Imported(pipeline=CODING_SESSION, session_id=added.session_id, title=added.title, events=added.events)
    on_imported(session)
    masked = masked_words(added.masked) if masks else "Nothing was masked."
    st.session_state[NOTICE] = Notice("info", f"{imported_words(added)} {masked}")


def imported_words(added: ImportedTranscript) -> str:
    """What became of the session of a coding agent."""
    what = "was here already" if added.is_known else f"was imported: {many(added.events, 'event')}"
    unread = f" Lines that could not be read, and are kept as they are: {added.unread:,}." if added.unread else ""
    return f"“{title_of(added.title)}” {what}.{unread}"


def masked_words(masked: Mapping[str, int]) -> str:
    """What was masked."""
    if not masked:
        return "No key, token or password was found."
    return f"Masked: {', '.join(f'{count:,} × {kind}' for kind, count in sorted(masked.items()))}."


def _read(upload: Any) -> SessionFile | str:
    """The session of a file, or why there is none; each file is read once."""
    from agents.sharing import read_shared

    known = st.session_state.get(_READ)
    if not isinstance(known, tuple) or known[0] != upload.file_id:
        try:
            found = read_shared(upload.getvalue())
        except SessionFileError as error:
            found = str(error)
        known = st.session_state[_READ] = (upload.file_id, found)
    return known[1]


@uninterrupted
def _take_in(manager: RunManager, file: SessionFile, upload: Any, on_imported: Callable[[Imported], None]) -> None:
    from agents.sharing import import_session

    st.session_state.pop(_PROBLEM, None)
    try:
        into = file.pipeline if _is_here(manager, file) else st.session_state[_INTO]
        added = import_session(manager, file, pipeline=into)
    except PlaygroundError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    free_upload(upload)
    _close()
    st.session_state[_DONE] = True
    on_imported(added)


def _is_here(manager: RunManager, file: SessionFile) -> bool:
    """Whether the pipeline of a file is here."""
    from agents.pipelines import CODING_SESSION

    return file.pipeline == CODING_SESSION or file.pipeline in manager.catalog.names()


def _contents(file: SessionFile) -> str:
    """What a file holds, in a line."""
    counts = {
        "event": file.events,
        "playbook": len(file.playbooks),
        "file": len(file.artifacts),
    }
    said = [f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count or name == "event"]
    missing = [scope for scope in _ABOUT if scope not in file.scopes]
    left = f" Left out: state of the scope {' and '.join(missing)}." if missing else ""
    return f"{', '.join(said)} of {plain(file.pipeline[:80])}.{left}"


def _size(size: int) -> str:
    return f"{size:,} B" if size < _KILO else f"{size / _KILO:,.1f} kB"
