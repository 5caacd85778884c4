from __future__ import annotations

import pytest
from google.genai import types

from agents.event import Event
from agents.llm.contents import history_for
from agents.model import LlmRequest
from agents.models.simulated.request import Said, SimulatedRequest, first_sentence, section_of

PROMPT = """You refine a document.

**Current Document:**
```
# A title

Body with a `word`.
**Task:** none
```

**Critique/Suggestions:**
Shorten it.
- and again

## Task
Do one of two things.
Topic: red apples
<notes>one
## two</notes>
**Style:** plain
"""


def said(author, text):
    role = "user" if author == "user" else "model"
    return Event(author=author, content=types.Content(role=role, parts=[types.Part(text=text)]))


def called(author, name, response):
    call = types.FunctionCall(id=f"adk-{name}", name=name, args={})
    answer = types.FunctionResponse(id=f"adk-{name}", name=name, response=response)
    return [
        Event(
            author=author,
            content=types.Content(role="model", parts=[types.Part(text="Let me see."), types.Part(function_call=call)]),
        ),
        Event(author=author, content=types.Content(role="user", parts=[types.Part(function_response=answer)])),
    ]


def read(events, agent="painter"):
    return SimulatedRequest.of(LlmRequest(contents=history_for(events, agent_name=agent)))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Current Document", "# A title\n\nBody with a `word`.\n**Task:** none"),
        ("critique/suggestions", "Shorten it.\n- and again"),
        ("Task", "Do one of two things.\nTopic: red apples\n<notes>one"),
        ("Topic", "red apples\n<notes>one"),
        ("notes", "one\n## two"),
        ("Style", "plain"),
        ("Missing", ""),
        ("document", ""),
    ],
)
def test_a_section_is_what_follows_its_heading(title, text):
    assert section_of(PROMPT, title) == text


def test_a_section_can_be_told_where_to_end():
    prompt = "**Document:**\n# Not the end\n```\ncode\n```\n**Critique:**\nGood.\n"

    assert section_of(prompt, "Document") == ""
    assert section_of(prompt, "Document", until="Critique") == "# Not the end\n```\ncode\n```"
    assert section_of(prompt, "Critique", until="Nothing") == "Good."
    assert section_of("Text:\n```\na\n```\nEnd:", "Text", until="End") == "a"


def test_a_section_of_the_instruction():
    asked = SimulatedRequest("agent", PROMPT, ())

    assert asked.section("Style") == "plain"


def test_the_persons_words_are_told_from_those_of_other_agents():
    asked = read([said("user", "Paint."), said("painter", "Done."), said("critic", "Too dark: [x] said: y")])

    assert asked.last_user_text() == "Paint."
    assert asked.history() == [Said("user", "Paint."), Said("model", "Done."), Said("critic", "Too dark: [x] said: y")]
    assert asked.texts()[-1] == asked.last_text() == asked.last_said_by("critic") == "Too dark: [x] said: y"
    assert asked.last_said_by("nobody") == ""


def test_an_empty_request_reads_as_empty():
    asked = SimulatedRequest.of(LlmRequest())

    assert (asked.agent_name, asked.instruction, asked.last_user_text(), asked.last_text()) == ("", "", "", "")
    assert (asked.history(), asked.tool_results()) == ([], [])


def test_tool_results_are_those_of_this_turn_in_order():
    events = [
        said("user", "Paint."),
        *called("painter", "old", {"n": 0}),
        said("painter", "Done."),
        said("critic", "Again."),
        *called("painter", "paint", {"n": 1}),
        *called("painter", "count", {"n": 2}),
    ]

    asked = read(events)

    assert [result.name for result in asked.tool_results()] == ["paint", "count"]
    assert [result.response for result in asked.tool_results("count")] == [{"n": 2}]


def test_tools_of_other_agents_are_not_of_this_turn():
    assert read([said("user", "Paint."), *called("critic", "look", {"n": 0})]).tool_results() == []


def test_what_a_tool_may_be_called_with_is_seen():
    tool = types.Tool(
        function_declarations=[types.FunctionDeclaration(name="look", parameters_json_schema={"type": "object"})]
    )
    asked = SimulatedRequest.of(LlmRequest(config=types.GenerateContentConfig(tools=[tool], response_json_schema={"a": 1})))

    assert asked.may_call("look")
    assert not asked.may_call("leap")
    assert asked.tools[0].parameters_json_schema == {"type": "object"}
    assert asked.response_schema == {"a": 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One.  Two.", "One."),
        ("No end", "No end"),
        ("a\nb? c", "a b?"),
        ("", ""),
        ("v1.2 is out. Yes", "v1.2 is out."),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_first_sentence(text, sentence):
    assert first_sentence(text) == sentence
