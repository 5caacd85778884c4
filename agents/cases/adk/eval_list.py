"""The older forms of ADK's eval files as EvalSets: a list of turns, and a list of named conversations.

google-adk 2.13 reads the second (`google.adk.evaluation.local_eval_sets_manager`); its samples have both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.errors import CaseError

_TURN = frozenset({"query", "expected_tool_use", "reference", "expected_intermediate_agent_responses"})


def is_eval_list(given: Any) -> bool:
    """Whether a JSON value is a list of turns or of conversations, or a single one of them."""
    first: Any = next(iter(cast("list[Any]", given)), None) if isinstance(given, list) else given
    return isinstance(first, dict) and ("query" in first or isinstance(cast("dict[str, Any]", first).get("data"), list))


def eval_set_of(given: Any, *, name: str, source: str, left_out: list[str]) -> dict[str, Any]:
    """The EvalSet that a list stands for.

    Args:
        given: The JSON value, for which `is_eval_list` holds.
        name: The name of a conversation that has none.
        source: What to call it in a message.
        left_out: What an EvalSet cannot say is added here, in sentences.

    Raises:
        CaseError: A turn has no message, or something is no object.
    """
    listed = [_object(one, source) for one in cast("list[Any]", given if isinstance(given, list) else [given])]
    named = listed if any("data" in one for one in listed) else [{"name": name, "data": listed}]
    return {"eval_set_id": name, "eval_cases": [_eval_case(one, name, source, left_out) for one in named]}


def _eval_case(given: Mapping[str, Any], name: str, source: str, left_out: list[str]) -> dict[str, Any]:
    called = str(given.get("name") or name)
    where = f"{source}: {called}"
    turns = given.get("data")
    if not isinstance(turns, list):
        raise CaseError(f"{where}: data: a conversation has the list of its turns there. Add it, or leave the case out.")
    session = _object(given.get("initial_session") or {}, where)
    first = _object(given.get("initial_state") or {}, where)
    state = session.get("state") or _object(first.get("session") or {}, where)
    return {
        "eval_id": called,
        "conversation": [_invocation(_object(turn, where), where, left_out) for turn in cast("list[Any]", turns)],
        "session_input": {"app_name": session.get("app_name") or "", "state": state},
    }


def _invocation(turn: Mapping[str, Any], where: str, left_out: list[str]) -> dict[str, Any]:
    query = turn.get("query")
    if not isinstance(query, str) or not query.strip():
        raise CaseError(f"{where}: query: a turn has the user's message there. Add it, or leave the turn out.")
    if turn.get("expected_intermediate_agent_responses"):
        left_out.append(f"{where}: what other agents answer meanwhile: a case expects something of the last answer alone.")
    if more := sorted(set(turn) - _TURN):
        left_out.append(f"{where}: {', '.join(more)[:80]}: a case has nothing of that kind.")
    found: dict[str, Any] = {"user_content": {"role": "user", "parts": [{"text": query}]}}
    if reference := str(turn.get("reference") or "").strip():
        found["final_response"] = {"role": "model", "parts": [{"text": reference}]}
    if tools := [_call(_object(one, where)) for one in cast("Sequence[Any]", turn.get("expected_tool_use") or ())]:
        found["intermediate_data"] = {"tool_uses": tools}
    return found


def _call(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": given.get("tool_name") or given.get("name"), "args": given.get("tool_input") or given.get("args") or {}}


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CaseError(f"{where}: {str(value)[:60]!r} stands where a list of turns has an object. Correct it.")
    return cast("dict[str, Any]", value)
