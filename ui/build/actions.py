"""What can be done on the Build page: the callbacks of its buttons and of the editor. One that fails leaves a notice."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import streamlit as st

from agents import PlaygroundError, TeamError
from agents.review import apply_fix
from agents.teams import outline, team_of
from ui.build.acts import Act, Select, Turn, changed, read_acts
from ui.build.open_team import OpenTeam, close, opened, store
from ui.dependencies.streamlit_private import sent_with
from ui.state import address, run_options, runs
from ui.state.address import Address
from ui.state.notices import NOTICE, Notice, action
from ui.state.quick_input import chosen_now

if TYPE_CHECKING:
    from agents.review import Fix
    from agents.teams import Start
    from ui.dependencies.streamlit_private import UploadedFile
    from ui.session_view import Answer

EDITOR, MESSAGE = "team_editor", "team_message"
DELETED = "deleted_team"
"""The name of the team that was deleted last, to offer it back."""
_DONE = "team_acts_done"
MOST_MB = 10
_TOOLS = '''"""Functions that the team's models may call."""


def count_words(text: str) -> dict:
    """Counts the words of a text.

    Args:
        text: The text.
    """
    return {"words": len(text.split())}
'''


def done() -> int:
    """The number of the last act of the editor that was seen."""
    return st.session_state.get(_DONE, 0)


# -- the open team


@action
def take_acts(name: str) -> None:
    """Does what the editor asks for."""
    _take_acts(name)


def _take_acts(name: str) -> OpenTeam:
    """Does the acts of the editor that were not done yet, each by itself: one that fails ends no other."""
    team = opened(name)
    acts = read_acts(sent_with(EDITOR, "acts"))
    if acts:  # without any, the editor has not been drawn since, and still has to hear why
        team.refused = {act.number: why for act in acts if (why := team.refused.get(act.number))}
    for act in acts:
        if act.number <= done():
            continue
        st.session_state[_DONE] = act.number
        try:
            _do(team, act)
        except PlaygroundError as error:
            team.refused[act.number] = str(error)
            st.session_state[NOTICE] = Notice("error", str(error), error.code)
    _show(team)
    return team


def _do(team: OpenTeam, act: Act) -> None:
    match act:
        case Select(agent=agent):
            team.agent = agent
        case Turn(kind=kind):
            team.turn(back=kind == "undo")
        case _:
            made = changed(team.draft.files, act)
            team.save(made.files, made.note)
            if act.kind == "set":
                team.agent = made.agent
            else:
                team.lead_to(made.agent)


def _show(team: OpenTeam) -> None:
    """Has the address name the selected agent."""
    here = address.of_playground()
    if here.member != team.agent:
        address.go(replace(here, member=team.agent))


@action
def turn(name: str, *, back: bool) -> None:
    """Undoes the last change, or makes it again."""
    _take_acts(name).turn(back=back)


@action
def load_newest(name: str) -> None:
    """Shows what was changed elsewhere."""
    opened(name).load_newest()


@action
def lead_to(name: str, agent: str, where: str) -> None:
    """Selects an agent, and leads to a field of it."""
    team = _take_acts(name)
    team.lead_to(agent, where)
    _show(team)


@action
def fix(name: str, found: Fix) -> None:
    """Applies what the review offers."""
    team = _take_acts(name)
    team.save(apply_fix(team.draft.files, found), f"{found.agent}: {found.text}")
    team.lead_to(found.agent, found.field)
    _show(team)


@action
def save_file(name: str, file: str, key: str) -> None:
    """Saves the text of a file as it was typed; Python that cannot be parsed stays in its field."""
    team, text = _take_acts(name), str(st.session_state[key])
    team.unsaved[file] = text
    if file.endswith(".py"):
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
            why = error.args[0] if error.args else "it is nested too deeply"
            raise TeamError(f"{file}{where}: {why}. It is not saved yet.") from None
    team.save({**team.draft.files, file: text}, f"{file} changed")
    del team.unsaved[file]


@action
def keep_text(name: str, file: str, key: str) -> None:
    """Keeps what was typed into a file until it is saved, also while something else is shown."""
    opened(name).unsaved[file] = str(st.session_state[key])


@action
def add_tools(name: str) -> None:
    """Adds a `tools.py` with a function to begin with."""
    team = _take_acts(name)
    team.save({**team.draft.files, "tools.py": _TOOLS}, "tools.py added")


@action
def add_files(name: str, key: str) -> None:
    """Adds files that were chosen, or puts them in the place of those of the same name."""
    team, files = _take_acts(name), _texts(st.session_state.get(key) or [])
    team.save({**team.draft.files, **files}, f"{', '.join(files)} added")


@action
def remove_file(name: str, file: str) -> None:
    """Removes a file."""
    team = _take_acts(name)
    team.save({one: text for one, text in team.draft.files.items() if one != file}, f"{file} removed")


@action
def restore(name: str, revision: int) -> None:
    """Makes an earlier revision the newest one."""
    team = _take_acts(name)
    team.save(store().read(name, revision).files, f"Restored revision {revision}")


# -- runs


@action
def run(name: str) -> None:
    """Runs the team as it stands, in a new session, on the message that was typed."""
    team = _take_acts(name)
    team.message = chosen_now(MESSAGE) or team.message
    options = run_options.of_page(name, None)
    begun = runs.manager().start(name, team.message, model=options.model, agent_models=options.agent_models)
    address.go(replace(address.of_playground(), session=begun.session_id))


@action
def answer(name: str, session: str, given: Answer) -> None:
    """Answers a call that the session waits for."""
    runs.manager().answer(name, session, given.call_id, given.response)


# -- all teams


def make(name: str, files: Mapping[str, str], note: str) -> str:
    """Makes a team under a name that is free, and gives that.

    Raises:
        TeamError: It cannot be made.
        NotPermittedError: The user may not make teams.
    """
    taken = {*store().names(), *runs.manager().catalog.names()}
    free = next(one for at in range(len(taken) + 1) if (one := f"{name}_{at + 1}" if at else name) not in taken)
    return store().create(free, dict(files), note=note).name


def _open(name: str) -> None:
    st.session_state.pop(DELETED, None)
    close()
    address.go(Address(team=name, model=address.current().model))


@action
def begin(start: Start) -> None:
    """Makes a team from one that it can begin with, and opens it."""
    made = make(start.name, start.files, f"Begun as “{start.title}”")
    _open(made)
    opened(made).message = start.message


@action
def begin_copy(key: str) -> None:
    """Makes a team that is a copy of the chosen pipeline, and opens it."""
    pipeline = st.session_state[key]
    files, notes = team_of(runs.manager().catalog.get(pipeline))
    _open(make(f"{pipeline}_copy", files, f"Copy of {pipeline}"))
    if notes:
        st.session_state[NOTICE] = Notice("info", " ".join(["In other programs:", *notes]))


@action
def begin_pasted(key: str) -> None:
    """Makes a team from the YAML that was pasted, and opens it."""
    text = st.session_state.get(key) or ""
    if not text.strip():
        raise TeamError("There is no text. Paste the YAML of an agent: `name: writer`, `instruction: Write a story.`")
    files = {"root_agent.yaml": text}
    root = outline(files)
    _open(make(root.name if root.name.isidentifier() else "pasted_team", files, "Pasted"))


@action
def begin_uploaded(key: str) -> None:
    """Makes a team from a zip, or from the files of a folder, and opens it."""
    if (data := uploaded(key)) is None:
        raise TeamError("No file was chosen.")
    _open(store().from_zip(data).name)


def uploaded(key: str) -> bytes | None:
    """The zip that was chosen, or one of the folder that was; None for nothing."""
    given: UploadedFile | list[UploadedFile] | None = st.session_state.get(key)
    if not isinstance(given, list):
        return given.getvalue() if given else None
    packed = BytesIO()
    with ZipFile(packed, "w") as file:
        for one in given:
            file.writestr(one.name.replace("\\", "/"), one.getvalue())
    return packed.getvalue() if given else None


def _texts(given: list[UploadedFile]) -> dict[str, str]:
    """The texts of uploaded files by their names.

    Raises:
        TeamError: There are none, or one is no text.
    """
    if not given:
        raise TeamError("No file was chosen.")
    try:
        return {file.name.replace("\\", "/"): file.getvalue().decode() for file in given}
    except UnicodeDecodeError:
        raise TeamError("One of the files is no text in UTF-8. A team has YAML, Python, CSV and JSON files.") from None


@action
def rename(name: str, key: str) -> None:
    """Gives a team the name that was typed."""
    to = (st.session_state.get(key) or "").strip()
    if to and to != name:
        _take_acts(name)
        store().rename(name, to)
        _open(to)


@action
def duplicate(name: str) -> None:
    """Makes a copy of a team, and opens it."""
    _take_acts(name)
    taken = store().names()
    to = next(one for at in range(len(taken) + 1) if (one := f"{name}_copy_{at + 1}" if at else f"{name}_copy") not in taken)
    store().duplicate(name, to)
    _open(to)


@action
def delete(name: str) -> None:
    """Deletes a team, and remembers it so that it can be brought back."""
    store().delete(name)
    close()
    st.session_state[DELETED] = name
    address.go(Address(model=address.current().model))


@action
def undelete(name: str) -> None:
    """Brings the team back that was deleted last."""
    store().undelete(name)
    _open(name)
