"""ADK's EvalSet JSON, both ways (google-adk 2.13, `google.adk.evaluation.eval_set`).

What an EvalSet cannot say of a case is kept in an extra field of its eval case, which google-adk passes on. What a case
cannot say of an EvalSet is named when it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from agents.cases.case import MAX_NAME, Case, NoPlaybook
from agents.cases.expectations import (
    AnswerContains,
    AnswerEquals,
    Expectation,
    Judge,
    StateEquals,
    ToolCalled,
)
from agents.errors import CaseError

OWN_FIELD = "playground_case"
"""The extra field of an eval case: what an EvalSet has no field for."""


@dataclass(frozen=True, slots=True)
class EvalSetCases:
    """The cases of an EvalSet.

    Attributes:
        cases: In order.
        left_out: What of it a case cannot say, in sentences.
    """

    cases: Sequence[Case]
    left_out: Sequence[str] = ()


def is_eval_set(given: Mapping[str, Any]) -> bool:
    """Whether a JSON object is an EvalSet."""
    return any(name in given for name in _names("eval_set_id"))


def cases_to_eval_set(cases: Iterable[Case], eval_set_id: str) -> str:
    """Cases as EvalSet JSON, for google-adk and for `cases_from_eval_set`, which gives the same cases."""
    given = {"eval_set_id": eval_set_id, "eval_cases": [_eval_case(case) for case in cases], "creation_timestamp": 0.0}
    return json.dumps(given, ensure_ascii=False, indent=2) + "\n"


class _NothingExpectedError(CaseError):
    """An eval case has nothing that a case could expect or send."""


def cases_from_eval_set(given: Mapping[str, Any], *, source: str = "The EvalSet", pipeline: str = "") -> EvalSetCases:
    """The cases of an EvalSet, as `cases_to_eval_set` or google-adk wrote it.

    The final response of the last turn becomes a text that the answer contains, tool calls and the final state become
    expectations of their own, and rubrics become a judge's.

    Args:
        given: The JSON object.
        source: What to call it in a message.
        pipeline: Of cases that name none.

    Raises:
        CaseError: It is no EvalSet, or one of its cases cannot be one here.
    """
    listed = _field(given, "eval_cases")
    if not isinstance(listed, list):
        raise CaseError(f"{source}: eval_cases: an EvalSet has a list there. Export it again.")
    left_out: list[str] = []
    cases: list[Case] = []
    unusable: list[_NothingExpectedError] = []
    for one in cast("list[Any]", listed):
        try:
            cases.append(_case(_object(one, source), source, left_out, pipeline))
        except _NothingExpectedError as error:
            unusable.append(error)
    if not cases:
        raise unusable[0] if unusable else CaseError(f"{source}: eval_cases: it is empty. Add a case, or remove the file.")
    left_out += map(str, unusable)
    return EvalSetCases(cases, left_out)


def _eval_case(case: Case) -> dict[str, Any]:
    conversation: list[dict[str, Any]] = [
        {"invocation_id": f"{number}", "user_content": {"role": "user", "parts": [{"text": text}]}}
        for number, text in enumerate(case.messages, start=1)
    ]
    last = conversation[-1]
    if text := next((one.text for one in case.expect if isinstance(one, AnswerEquals | AnswerContains)), ""):
        last["final_response"] = {"role": "model", "parts": [{"text": text}]}
    if tools := [{"name": one.tool, "args": one.args} for one in case.expect if isinstance(one, ToolCalled)]:
        last["intermediate_data"] = {"tool_uses": tools, "tool_responses": [], "intermediate_responses": []}
    rubrics = [one.rubric for one in case.expect if isinstance(one, Judge)]
    kept = case.model_dump(mode="json", exclude={"name", "messages", "pipeline", "state"})
    return {
        "eval_id": case.name,
        "conversation": conversation,
        "session_input": {"app_name": case.pipeline, "user_id": "user", "state": dict(case.state)},
        "final_session_state": {one.key: one.value for one in case.expect if isinstance(one, StateEquals)},
        "rubrics": [{"rubric_id": text, "rubric_content": {"text_property": text}} for text in rubrics] or None,
        "creation_timestamp": 0.0,
        OWN_FIELD: kept,
    }


def _case(given: Mapping[str, Any], source: str, left_out: list[str], pipeline: str) -> Case:
    name = str(_field(given, "eval_id") or "")[:MAX_NAME]
    where = f"{source}: {name or 'a case'}"
    turns = _field(given, "conversation")
    if not isinstance(turns, list) or not turns:
        raise _NothingExpectedError(
            f"{where}: conversation: a case needs the user's messages; a conversation scenario has none."
        )
    invocations = [_object(turn, where) for turn in cast("list[Any]", turns)]
    session = _object(_field(given, "session_input") or {}, where)
    named = _field(session, "app_name") or pipeline
    if not named:
        raise CaseError(
            f"{where}: session_input.app_name: it names no pipeline. Name it there, or for all such cases: "
            "`playground check --pipeline NAME`."
        )
    own = given.get(OWN_FIELD)
    more = cast("dict[str, Any]", own) if isinstance(own, dict) else _of_adk(given, invocations, where, left_out)
    try:
        fields: dict[str, Any] = {
            **more,
            "name": name,
            "pipeline": named,
            "messages": [_text_of(_field(turn, "user_content"), where, left_out) for turn in invocations],
            "state": _field(session, "state") or {},
        }
        return Case.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the case"
        raise CaseError(f"{where}: {field}: {first['msg']}. Mend it in the file, or leave the case out.") from None


def _of_adk(given: Mapping[str, Any], turns: Sequence[Mapping[str, Any]], where: str, left_out: list[str]) -> dict[str, Any]:
    """What another program's eval case expects."""
    expect: list[Expectation] = []
    for number, turn in enumerate(turns, start=1):
        response = _field(turn, "final_response")
        text = _text_of(response, where, left_out) if response else ""
        if text and number == len(turns):
            expect.append(AnswerContains(text=text))
        elif text:
            left_out.append(f"{where}: the answer of turn {number}: a case expects something of the last answer alone.")
        expect += _tool_calls(_field(turn, "intermediate_data"), where)
        expect += _rubrics(turn, where)
    expect += _rubrics(given, where)
    final = _object(_field(given, "final_session_state") or {}, where)
    expect += [StateEquals(key=key, value=value) for key, value in final.items()]
    if not expect:
        raise _NothingExpectedError(
            f"{where}: it expects nothing. Give it a final response, tool uses, a final state or a rubric."
        )
    return {"playbook": NoPlaybook().model_dump(), "expect": [one.model_dump(mode="json") for one in expect]}


def _tool_calls(data: Any, where: str) -> list[ToolCalled]:
    """The tool calls of a turn, in either of the two forms that ADK has for its steps."""
    if not data:
        return []
    given = _object(data, where)
    calls = _listed(_field(given, "tool_uses"))
    for event in _listed(_field(given, "invocation_events")):
        content = _object(_field(_object(event, where), "content") or {}, where)
        parts = [_object(part, where) for part in _listed(content.get("parts"))]
        calls += [call for part in parts if (call := _field(part, "function_call"))]
    found = [_object(call, where) for call in calls]
    return [ToolCalled(tool=str(call.get("name") or "?"), args=call.get("args") or {}) for call in found]


def _rubrics(given: Mapping[str, Any], where: str) -> list[Judge]:
    found: list[Judge] = []
    for rubric in _listed(_field(given, "rubrics")):
        content = _object(_field(_object(rubric, where), "rubric_content") or {}, where)
        if text := str(_field(content, "text_property") or ""):
            found.append(Judge(rubric=text))
    return found


def _text_of(content: Any, where: str, left_out: list[str]) -> str:
    parts = [_object(part, where) for part in _listed(_object(content or {}, where).get("parts"))]
    if any(not part.get("text") for part in parts):
        left_out.append(f"{where}: parts of a message that are not text.")
    return "".join(str(part.get("text") or "") for part in parts)


def _field(given: Mapping[str, Any], name: str) -> Any:
    """A field by either of the names that google-adk reads."""
    return next((given[one] for one in _names(name) if one in given), None)


def _names(name: str) -> tuple[str, str]:
    return name, to_camel(name)


def _listed(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, list) else []


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CaseError(f"{where}: {str(value)[:60]!r} stands where an EvalSet has an object. Export it again.")
    return cast("dict[str, Any]", value)
