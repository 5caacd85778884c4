"""What the user answers in a model's place: checked against the question, and as the model's response.

An answer is `{"text": …}`, `{"calls": [{"name": …, "args": {…}}]}`, both, `{"refuse": why}` or `{"pass": true}`;
`{"result": …}`, as other calls are answered, is a text too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from google.genai import types

from agents.errors import AnswerError, known
from agents.model import LlmResponse
from agents.models.answer import content_of, natural_stop
from agents.models.you.json_schema import misfit
from agents.models.you.spec import TYPED_MARK

PASS, REFUSE = "pass", "refuse"
_MOST_CALLS = 50
_FORMS = (
    'Answer with {"text": "…"}, {"calls": [{"name": "…", "args": {…}}]}, both of them, {"refuse": "why"}, or {"pass": true}.'
)


def check_answer(asked: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Checks an answer before it is stored.

    Args:
        asked: What the model would be sent, see `agents.llm.person_question`.
        answer: The answer.

    Raises:
        AnswerError: It is empty, or has another form; a tool is not there, or an argument or the text does not fit.
    """
    if answer.get(PASS) is True or isinstance(answer.get(REFUSE), str):
        return
    if strange := [name for name in answer if name not in ("text", "calls", "result")]:
        raise AnswerError(f"{strange[0][:60]!r} is no part of an answer as a model. {_FORMS}")
    text, calls = _text_in(answer), _calls_in(answer)
    if not text.strip() and not calls:
        raise AnswerError("The answer is empty. Type what the model says, call a tool, pass, or refuse.")
    declared = {str(tool.get("name")): tool for tool in _objects(asked.get("tools"))}
    for call in calls:
        if (tool := declared.get(call["name"])) is None:
            may_call = known(declared) if declared else "none"
            raise AnswerError(f"There is no tool {call['name'][:60]!r} here. This model may call: {may_call}.")
        if problem := misfit(call["args"], tool.get("parameters") or {}):
            raise AnswerError(f"The arguments of {call['name']} do not fit its declaration: {problem}. Nothing was sent.")
    if (schema := asked.get("schema")) is not None and not calls:
        _check_text(text, schema)


def _check_text(text: str, schema: Any) -> None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"The answer has to be JSON that fits the output schema, and it is no JSON: {error}.") from None
    if problem := misfit(value, schema):
        raise AnswerError(f"The answer does not fit the output schema: {problem}. Nothing was sent.")


def response_of(answer: Mapping[str, Any], model: str) -> LlmResponse:
    """A checked answer as the response of `model`."""
    marks = {TYPED_MARK: True}
    if isinstance(why := answer.get(REFUSE), str):
        reason = types.FinishReason.SAFETY
        said = f": {why.strip()}" if why.strip() else "."
        return LlmResponse(
            stop_reason="safety",
            finish_reason=reason,
            error_code=reason.value,
            error_message=f"The person who answers as the model {model!r} refused to answer{said}",
            model_version=model,
            custom_metadata=marks,
        )
    calls = [types.FunctionCall(name=call["name"], args=call["args"]) for call in _calls_in(answer)]
    content = content_of(_text_in(answer), calls)
    return LlmResponse(
        content=content,
        stop_reason=natural_stop(content.parts if content else None),
        finish_reason=types.FinishReason.STOP,
        model_version=model,
        custom_metadata=marks,
    )


def _text_in(answer: Mapping[str, Any]) -> str:
    given = answer.get("text", answer.get("result"))
    if "text" in answer and not isinstance(given, str):
        raise AnswerError(f'"text" has to be a text. {_FORMS}')
    return given if isinstance(given, str) else "" if given is None else json.dumps(given, ensure_ascii=False)


def _calls_in(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    given: Any = answer.get("calls") or []
    calls = _objects(given)
    if not isinstance(given, list) or len(calls) != len(cast("list[Any]", given)) or len(calls) > _MOST_CALLS:
        raise AnswerError(f'"calls" has to be a list of at most {_MOST_CALLS} calls. {_FORMS}')
    for call in calls:
        if not isinstance(call.get("name"), str) or not isinstance(call.setdefault("args", {}), dict):
            raise AnswerError(f'A call has a "name", a text, and "args", an object. {_FORMS}')
    return calls


def _objects(value: Any) -> list[dict[str, Any]]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [dict(cast("dict[str, Any]", item)) for item in items if isinstance(item, dict)]
