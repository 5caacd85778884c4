"""The forms of the changes: each reads what is typed, and gives a change or says why it is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st
from pydantic import ValidationError

from agents import FaultError, StateInputError
from agents.forks import (
    AnswerChange,
    FaultChange,
    InstructionChange,
    MessageChange,
    ModelChange,
    PlaybookChange,
    StateChange,
    ToolResultChange,
)
from agents.pipelines import FAULT_KINDS, Fault
from ui.forks.fork_point import ForkPoint
from ui.state.options import faults, model_choices
from ui.text.json_text import read_json
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from agents.forks import Change
    from ui.state.places import Place

ALL_AGENTS = ""
"""Stands for all agents that name no model."""
_HEIGHT = 150
_CALLS_FORM = 'Tool calls are a list in JSON: [{"tool": "exit_loop", "args": {}}].'


@dataclass(frozen=True)
class Sheet:
    """What the forms are drawn for.

    Attributes:
        place: The page's place.
        cut: The entry at the point.
        instructions: The present instructions, by agent.
        call: The call whose result was clicked; "" for none.
    """

    place: Place
    point: ForkPoint
    instructions: dict[str, str]
    call: str = ""


Form = Callable[[Sheet], "Change"]


def offered(sheet: Sheet) -> dict[str, str]:
    """The kinds of changes that fit the entry: name → label."""
    labels = {} if sheet.point.replaced is None else {sheet.point.replaced: _REPLACED[sheet.point.replaced]}
    if sheet.instructions:
        labels["instruction"] = "An instruction"
    labels |= {"state": "A state value", "model": "A model", "faults": "Faults"}
    if sheet.point.playbook is not None:
        labels["playbook"] = "The playbook"
    return labels


def changes(sheet: Sheet, kinds: list[str]) -> tuple[list[Change], bool]:
    """Draws the forms of some kinds.

    Returns:
        The changes, and whether all that was typed can be read.
    """
    found: list[Change] = []
    for kind in kinds:
        with st.container(key=f"change_{kind}", gap="xsmall"):
            try:
                found.append(_FORMS[kind](sheet))
            except (StateInputError, FaultError) as error:
                st.error(plain(str(error)))
            except ValidationError:
                st.error("This must not be empty.")
    return found, len(found) == len(kinds)


def _message(sheet: Sheet) -> Change:
    return MessageChange(text=st.text_area("Message", sheet.point.text, key=_key(sheet, "message"), height=_HEIGHT).strip())


def _answer(sheet: Sheet) -> Change:
    text = st.text_area("Answer", sheet.point.text, key=_key(sheet, "answer"), height=_HEIGHT)
    calls = st.text_area(
        "Tool calls, as JSON",
        sheet.point.calls,
        key=_key(sheet, "calls"),
        height=75,
        placeholder='[{"tool": "exit_loop", "args": {}}]',
        help="A list of tool and arguments. Empty: the answer calls no tool.",
    )
    read = _calls(calls)
    if not text.strip() and not read:
        raise StateInputError("An answer needs a text or a tool call.")
    return AnswerChange(text=text.strip(), calls=read)


def _tool_result(sheet: Sheet) -> Change:
    results = sheet.point.results
    call_id = sheet.call or next(iter(results))
    if len(results) > 1:
        calls = list(results)
        call_id = st.selectbox(
            "Call",
            calls,
            calls.index(call_id),
            format_func=lambda found: _result_line(calls.index(found), *results[found]),
            key=_key(sheet, f"result_of{sheet.call}"),  # a dialog that is opened anew at once keeps what has the same key
        )
    tool, response = results[call_id]
    typed = st.text_area(f"{plain(tool)} answers, as JSON", _json(response), key=_key(sheet, f"result_{call_id}"))
    value = read_json(typed)
    return ToolResultChange(call_id=call_id, response=value if isinstance(value, dict) else {"result": value})


def _result_line(place: int, tool: str, response: dict[str, Any]) -> str:
    """One of several results, which may be of the same tool."""
    return f"{place + 1}. {tool}: {title_of(json.dumps(response, ensure_ascii=False), length=60)}"


def _state(sheet: Sheet) -> Change:
    state = sheet.point.state
    key = st.selectbox(
        "State key",
        list(state),
        accept_new_options=True,
        index=0 if state else None,
        placeholder="Choose one, or type a new key",
        key=_key(sheet, "state_key"),
    )
    name = (key or "").strip()
    if not name:
        raise StateInputError("Choose a state key, or type a new one: topic, user:name, app:limit.")
    if name.startswith("temp:"):
        raise StateInputError("temp: state belongs to one run and is not stored. Choose a key of another scope.")
    typed = st.text_area("Value, as JSON", _json(state.get(name, "")), key=_key(sheet, f"state_{name}"), height=_HEIGHT)
    value = read_json(typed)
    if name in state and type(value) is not type(state[name]):
        st.caption(f"It was {_TYPES[type(state[name])]} and becomes {_TYPES[type(value)]}.")
    return StateChange(key=name, value=value)


def _instruction(sheet: Sheet) -> Change:
    agents = list(sheet.instructions)
    first = agents.index(sheet.point.author) if sheet.point.author in agents else 0
    agent = st.selectbox("Agent", agents, first, key=_key(sheet, "instruction_of")) or agents[first]
    key = _key(sheet, f"instruction_{agent}")
    text = st.text_area(f"Instruction of {agent}", sheet.instructions[agent], key=key, height=220)
    return InstructionChange(agent=agent, text=text)


def _model(sheet: Sheet) -> Change:
    place = sheet.place
    agents = [ALL_AGENTS, *place.options.llm_agents]
    agent = st.selectbox(
        "Agent", agents, format_func=lambda name: name or "All that name no model", key=_key(sheet, "model_of")
    )
    names = model_choices.offered(place.preferences, place.options.model)
    model = st.selectbox("Model", names, format_func=model_choices.shown, key=_key(sheet, "model"))
    return ModelChange(agent=agent or None, model=model or place.options.model)


def _playbook(sheet: Sheet) -> Change:
    name, revision = sheet.point.playbook or ("", 0)
    bullets = sheet.point.bullets
    how = st.segmented_control(
        f"Playbook {plain(name)}",
        ["without bullets", "revision", "off"],
        default="without bullets",
        required=True,
        key=_key(sheet, "playbook"),
    )
    if how == "off":
        st.caption("Empty, and it learns nothing.")
        return PlaybookChange(off=True)
    if how == "revision":
        chosen = st.number_input("Revision", 0, max(revision, 0), revision, key=_key(sheet, "revision"))
        return PlaybookChange(revision=int(chosen))
    left_out = st.multiselect(
        "Bullets to leave out",
        list(bullets),
        format_func=lambda bullet: f"{bullet}: {title_of(bullets[bullet], length=70)}",
        key=_key(sheet, "without"),
    )
    return PlaybookChange(without=tuple(left_out))


def _faults(sheet: Sheet) -> Change:
    there = list(sheet.point.faults)
    stay = there
    if there:
        stay = st.multiselect("Faults of that run that stay", there, default=there, key=_key(sheet, "faults"))
    targets = faults.targets(sheet.place.pipeline.root_agent)
    kinds = {"": "none", **FAULT_KINDS}
    kind = st.selectbox("One more fault", list(kinds), format_func=kinds.__getitem__, key=_key(sheet, "fault"))
    found = [Fault.parse(text) for text in stay]
    if kind:
        who, when = st.columns(2)
        target = who.selectbox("Who", list(targets), format_func=targets.__getitem__, key=_key(sheet, "fault_of"))
        call = when.number_input("At its model call", 1, 99, key=_key(sheet, "fault_call"), help="Counted from 1")
        found.append(Fault.model_validate({"kind": kind, "target": target, "call": call}))
    return FaultChange(faults=tuple(found))


def _calls(text: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    if not text.strip():
        return ()
    value = read_json(text)
    if not isinstance(value, list):
        raise StateInputError(_CALLS_FORM)
    return tuple(map(_call, value))


def _call(item: object) -> tuple[str, dict[str, Any]]:
    match item:
        case {"tool": str(tool), **rest} if tool and set(rest) <= {"args"} and isinstance(rest.get("args", {}), dict):
            return tool, rest.get("args", {})
        case _:
            raise StateInputError(_CALLS_FORM)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _key(sheet: Sheet, name: str) -> str:
    return f"fork_{sheet.point.seq}_{name}"


_TYPES = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "a list", dict: "an object"}
_TYPES |= {type(None): "null"}
_REPLACED = {"message": "The message", "answer": "The answer", "tool_result": "A tool's result"}
_FORMS: dict[str, Form] = {
    "message": _message,
    "answer": _answer,
    "tool_result": _tool_result,
    "state": _state,
    "instruction": _instruction,
    "model": _model,
    "playbook": _playbook,
    "faults": _faults,
}
