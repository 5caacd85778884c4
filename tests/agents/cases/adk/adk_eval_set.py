"""Runs with google-adk alone: loads an EvalSet, writes it again in both of its forms, and writes one of its own.

Standard input: an EvalSet as JSON. Standard output: one JSON object.
"""

import json
import sys

from google.adk.evaluation.eval_case import EvalCase, IntermediateData, Invocation, SessionInput, get_all_tool_calls
from google.adk.evaluation.eval_rubrics import Rubric, RubricContent
from google.adk.evaluation.eval_set import EvalSet
from google.genai import types

given = EvalSet.model_validate_json(sys.stdin.buffer.read())
last = given.eval_cases[0].conversation[-1]
own = EvalSet(
    eval_set_id="own",
    eval_cases=[
        EvalCase(
            eval_id="weather",
            conversation=[
                Invocation(
                    user_content=types.UserContent("Hi"),
                    final_response=types.ModelContent("Hello."),
                ),
                Invocation(
                    user_content=types.UserContent(parts=[types.Part(text="Weather in Oslo?")]),
                    final_response=types.ModelContent("It is 5 degrees."),
                    intermediate_data=IntermediateData(
                        tool_uses=[types.FunctionCall(name="get_weather", args={"city": "Oslo"})]
                    ),
                ),
            ],
            session_input=SessionInput(app_name="help_desk", user_id="u", state={"unit": "C"}),
            final_session_state={"city": "Oslo"},
            rubrics=[Rubric(rubric_id="1", rubric_content=RubricContent(text_property="It names a unit."))],
        )
    ],
)
print(
    json.dumps(
        {
            "id": given.eval_set_id,
            "names": [case.eval_id for case in given.eval_cases],
            "asked": [turn.user_content.parts[0].text for turn in given.eval_cases[0].conversation],
            "answer": last.final_response.parts[0].text,
            "tools": [(call.name, call.args) for call in get_all_tool_calls(last.intermediate_data)],
            "state": given.eval_cases[0].session_input.state,
            "rubrics": [rubric.rubric_content.text_property for rubric in given.eval_cases[0].rubrics],
            "final": given.eval_cases[0].final_session_state,
            "again": [
                given.model_dump_json(exclude_unset=True, exclude_defaults=True, exclude_none=True),
                given.model_dump_json(by_alias=True),
            ],
            "own": [
                own.model_dump_json(indent=2, exclude_unset=True, exclude_defaults=True, exclude_none=True),
                own.model_dump_json(by_alias=True),
            ],
        }
    )
)
