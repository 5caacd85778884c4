"""What a person can do to sessions and runs: the callbacks of buttons and inputs. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from agents import MessageError, StateInputError
from agents.pipelines import Fault, truth_key
from ui.playground import attached_files
from ui.sharing import dialogs
from ui.state import address, run_options, runs
from ui.state.notices import DELETED, NOTICE, Deleted, Notice, action
from ui.state.options import control_values, faults, model_choices
from ui.state.options.agent_models import RUNS_MODEL, write
from ui.state.quick_input import uninterrupted
from ui.text.labels import title_of

if TYPE_CHECKING:
    from agents.sharing import Imported
    from ui.dependencies.streamlit_private import UploadedFile
    from ui.session_view import Answer, Feedback

MESSAGE = "message"
MOST_TRUTH = 20_000
"""Most characters of a right answer."""


def truth_field(pipeline: str, session: str | None) -> str:
    """The key of the field with the right answer: what was typed for one session is not sent to another one."""
    return f"right_answer_{pipeline}_{session or 'new'}"


@uninterrupted
def send_message(pipeline: str, session: str | None) -> None:
    """Runs what was typed, with its right answer and files; what cannot be run stays, so that it can be changed."""
    given = st.session_state.get(MESSAGE) or ""
    text, files = (given, []) if isinstance(given, str) else (given.text, given.files)
    field = truth_field(pipeline, session)
    run(pipeline, session, text, files, (st.session_state.get(field) or "").strip())
    if NOTICE in st.session_state:
        st.session_state[MESSAGE] = text
    elif field in st.session_state:
        st.session_state[field] = ""


@action
def run(pipeline: str, session: str | None, message: str, files: Sequence[UploadedFile] = (), truth: str = "") -> None:
    """Runs a pipeline on a message, its right answer and files, in a session or, with None, in a new one, and shows it."""
    options = run_options.of_page(pipeline, session)
    if len(truth) > MOST_TRUTH:
        raise MessageError(f"The right answer has {len(truth):,} characters; it may have {MOST_TRUTH:,}. Shorten it.")
    key = truth_key(options.pipeline.root_agent)
    text, parts = attached_files.read(message, files, options.model)
    begun = runs.manager().start(
        pipeline,
        text,
        session_id=session,
        model=options.model,
        agent_models=options.agent_models,
        state={**options.state, **({key: truth} if key and truth else {})},
        faults=options.faults.readable,
        files=parts,
    )
    st.session_state.pop(DELETED, None)
    address.open_session(pipeline, begun.session_id)


@action
def answer(pipeline: str, session: str, given: Answer) -> None:
    """Answers a call that the session waits for; the run goes on where it was, with the model that it had."""
    runs.manager().answer(pipeline, session, given.call_id, given.response)


@action
def judge(pipeline: str, session: str, given: Feedback) -> None:
    """Runs the pipeline on what a person says of an answer, so that it learns from that."""
    verdict: dict[str, Any] = {"right": given.right, "answer": given.answer, "event": given.event}
    if given.outcome:
        message = f"Outcome: {given.outcome}"
        verdict = {"outcome": given.outcome, "event": given.event}
    else:
        message = "👍" if given.right else "👎"
        message += f" The right answer: {given.answer}" if given.answer else ""
    options = run_options.of_page(pipeline, session)
    runs.manager().start(
        pipeline,
        message,
        session_id=session,
        model=options.model,
        agent_models=options.agent_models,
        state={"verdict": verdict},
        faults=options.faults.readable,
    )


@action
def change_control(pipeline: str, session: str | None, name: str, value: Any) -> None:
    """Takes what a control of the pipeline was set to: an event of the session, or kept until there is one."""
    if value is None:  # a number field that was emptied shows what it had again
        return
    if session is None and address.of_playground().session is not None:  # a control of a page that was left meanwhile
        return
    if isinstance(value, str):  # typed, where new names may be
        value = value.strip()
    control = next(found for found in runs.manager().catalog.get(pipeline).card.controls if found.key == name)
    if not control_values.fits(control, value):
        raise StateInputError(f"{control.label} cannot be {str(value)[:100]!r}. {control.help}".strip())
    if session is not None:
        if control_values.value_of(control, runs.manager().sessions.state(pipeline, session)) != value:
            runs.manager().sessions.set_state(pipeline, session, {name: value})
        return
    here = address.of_playground()
    chosen = control_values.read(runs.manager().catalog.get(pipeline).card, here.settings)
    address.go(replace(here, pipeline=pipeline, settings=control_values.write({**chosen, name: value})))


@action
def add_fault(fault: Fault) -> None:
    """Has something go wrong in the next runs of this page."""
    here = address.of_playground()
    asked = dict.fromkeys([*here.faults, str(fault)])
    address.go(replace(here, faults=tuple(asked)))


@action
def remove_fault(fault: Fault | None) -> None:
    """Takes a fault back, however the address writes it; None takes back all, unreadable ones too."""
    here = address.of_playground()
    kept = () if fault is None else tuple(text for text in here.faults if fault not in faults.read_all([text]).readable)
    address.go(replace(here, faults=kept))


@action
def open_session(pipeline: str, session: str | None = None) -> None:
    """Shows a session; None: a new one, which is stored with its first message."""
    st.session_state.pop(DELETED, None)
    address.open_session(pipeline, session)


@action
def choose_model(default: str, chosen: str | None) -> None:
    """Takes the model that was picked for the next run."""
    address.go(replace(address.of_playground(), model=None if chosen in {None, default} else chosen))


@action
def choose_agent_model(agent: str, preferred: Mapping[str, str], model: str | None) -> None:
    """Takes the model that was picked for one agent in the next runs of this page; the address says what differs."""
    here, chosen = address.of_playground(), model or RUNS_MODEL
    others = tuple(text for text in here.agent_models if text.partition(":")[0] != agent)
    said = () if chosen == preferred.get(agent, RUNS_MODEL) else write({agent: chosen})
    address.go(replace(here, agent_models=(*others, *said)))


@action
def forget_agent_models() -> None:
    """Has all agents ask the models that they ask when the page says nothing."""
    address.go(replace(address.of_playground(), agent_models=()))


@action
def replay(pipeline: str, session: str) -> None:
    """Shows a new session in which a recorded one answers instead of models."""
    here = address.of_playground()
    model = model_choices.replay_of(pipeline, session)
    address.go(replace(here, pipeline=pipeline, session=None, model=model, agent_models=(), faults=(), settings=()))


@action
def open_imported(added: Imported) -> None:
    """Shows a session that was imported, and says what came along."""
    address.open_session(added.pipeline, added.session_id)
    dialogs.say_imported(added)


@action
def rename(pipeline: str, session: str, key: str) -> None:
    """Gives a session the title that was typed under `key`; an empty one is left alone."""
    title = title_of(st.session_state[key], length=200) if st.session_state[key].strip() else ""
    if title:
        runs.manager().sessions.rename(pipeline, session, title)


@action
def delete(pipeline: str, session: str, title: str) -> None:
    """Deletes a session, stopping its run first, and remembers it so that it can be brought back."""
    runs.manager().sessions.delete(pipeline, session)
    st.session_state[DELETED] = Deleted(pipeline, session, title)
    if address.of_playground().session == session:
        address.open_session(pipeline, None)


@action
def restore(pipeline: str, session: str) -> None:
    """Brings a deleted session back and shows it."""
    st.session_state.pop(DELETED, None)
    if runs.manager().sessions.restore(pipeline, session):
        address.open_session(pipeline, session)
    else:
        st.session_state[NOTICE] = Notice("error", "The session cannot be brought back: its name is in use again.")
