"""The functions that read text from outside take linear time: what is quadratic there need not be a pattern."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from io import StringIO

import pytest
from google.genai import types
from pydantic import TypeAdapter

from agents.ace.formats import text as text_format
from agents.ace.formats.reader import from_json, read_any
from agents.ace.refine import disagreement
from agents.ace.roles import feedback, instructions, orders
from agents.ace.value import tokens
from agents.cases.verdict import numbers_in
from agents.comparison.text_diff import word_diff
from agents.errors import PlaygroundError
from agents.event import Event
from agents.flows.pattern import matches
from agents.lab.data.rows import object_in
from agents.lab.scorers.numbers import only_number
from agents.lab.scorers.texts import entities_in, folded
from agents.llm import instruction
from agents.llm.planners import PlanReActPlanner, PlanStream
from agents.models import connections
from agents.models.openai_compatible import errors as llama_errors
from agents.models.openai_compatible.format_answer import OpenAIAnswer
from agents.models.openai_compatible.thoughts_in_text import ThoughtsInText
from agents.models.openai_compatible.tool_protocol import read_calls, read_reply
from agents.models.openai_compatible.tool_protocol_reader import calls_and_texts_in
from agents.models.openai_compatible.tool_protocol_streams import reader_for
from agents.models.replay import request as replay_request
from agents.models.simulated import request as simulated_request
from agents.models.tool_arguments.exact_json import UnreadableJsonError
from agents.models.tool_arguments.lenient_json import read_json
from agents.pipelines.ace.simulation.rewriter import rewrite
from agents.runs.values import Partial
from agents.runtime import fault, output
from agents.storage.memory import InMemoryMemoryService
from tests.architecture.growth import assert_linear, first_steep
from tests.architecture.hostile_text import Attack
from ui.cli.terminal import Terminal
from ui.text import labels
from ui.text.visible_text import visible

TOOLS = [types.FunctionDeclaration(name="look", parameters_json_schema={"type": "object"})]
LONG = 524_288
"""Characters: a copy is fast, and shows in long texts alone."""
PIECE = 50
"""Characters that a stream brings at once."""


def pieces(text):
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def leniently(text):
    with suppress(UnreadableJsonError):
        read_json(text)


def as_json(text):
    output.parse_answer(TypeAdapter(dict[str, str]), text)


def streamed(protocol):
    def read(text):
        reader = reader_for(TOOLS, protocol)
        for piece in pieces(text):
            reader.add(piece)
        reader.end(cut=False)

    return read


def thoughts(text):
    reader = ThoughtsInText()
    for piece in pieces(text):
        reader.add(piece)
    reader.end()


def answered(text):
    answer = OpenAIAnswer("llama/test", tools=TOOLS)
    for piece in pieces(text):
        list(answer.add({"choices": [{"delta": {"content": piece}}]}))
    answer.whole(streamed=False)


def called(text):
    """A stream with a tool call for each piece."""
    answer = OpenAIAnswer("llama/test", tools=TOOLS)
    for at, piece in enumerate(pieces(text)):
        function = {"name": "look", "arguments": {"x": piece}}
        list(answer.add({"choices": [{"delta": {"tool_calls": [{"index": at, "id": str(at), "function": function}]}}]}))
    answer.whole(streamed=False)


def remembered(text):
    service, said = InMemoryMemoryService(), types.Content(parts=[types.Part(text=text)])
    who = {"app_name": "a", "user_id": "u"}
    asyncio.run(service.add_events_to_memory(**who, events=[Event(content=said)]))
    asyncio.run(service.search_memory(**who, query=text))


def planned(text):
    PlanReActPlanner().process_planning_response(None, [types.Part(text=text)])


def planned_live(text):
    stream = PlanStream()
    for piece in (text, *pieces(text)):
        stream.read([types.Part(text=piece)])


def shown_live(text):
    terminal = Terminal(StringIO(), live=True, colour=False)
    offset = 0
    for piece in pieces(text):
        terminal.show_partial(Partial(id="e", author="a", text=piece, thought=False, branch=None, offset=offset))
        offset += len(piece)


MANY = 200
"""Words: more than are compared with each other, so that what is measured is the rest."""

READERS = {
    "import": (
        read_any,
        ("", "## A\n[a-1] helpful=0 harmful=0 :: x\n", "## A\n<!--", '{"bullets": {"a": ', "## A\n<!---->"),
    ),
    "import, JSON": (from_json, ("", '{"format": "', '{"bullets": [')),
    "text format": (
        text_format.read_text,
        ("", "[a-1] helpful=0 harmful=0 :: ", "[a-1] helpful=0 harmful=0 :: x\n", "<!---->"),
    ),
    "text format, written": (text_format.in_prompt, ("", "x")),
    "claims": (lambda text: disagreement.Reading(text).claims, ("", "not ", "x = ")),
    "disagreement": (lambda text: disagreement.disagrees(f"a {text}", f"{text} b"), ("",)),
    "orders": (orders.order_in, ("", "ignore ", "\n#")),
    "tokens": (tokens.count_tokens, ("", "é")),
    "message with an answer": (feedback.split_message, ("", "a\nAnswer:", "a\nAnswer: b")),
    "thumb": (lambda text: feedback.verdict_in(None, text), ("", "👍")),
    "material": (instructions.as_material, ("", "<")),
    "template": (lambda text: instruction.fill_template(text, {}, agent_name="a"), ("", "{", "{a?}")),
    "artifacts of a template": (instruction.artifact_names, ("artifact.", "{artifact.")),
    "answer with a schema": (as_json, ("", "```json\n", "```\n{", '{"a": "')),
    "section": (lambda text: simulated_request.section_of(text, "T"), ("", "## T\n", "## T\n```\n", "**T", "<T>\n", "T:")),
    "section up to another": (
        lambda text: simulated_request.section_of(text, "T", until="U"),
        ("", "## T\n", "## T\n```\n"),
    ),
    "first sentence": (simulated_request.first_sentence, ("", "a. ")),
    "reply": (
        lambda text: read_reply(text, TOOLS),
        ("", '{"response": "', '{"response": "a",', '{"tool_call": {"name": "look", '),
    ),
    "calls": (lambda text: read_calls(text, TOOLS), ("", "<tool_call>", '{"name": "look", "arguments": {"a": "')),
    "streamed reply": (streamed("json"), ("", '{"response": "', '{"response": "a"', "```json")),
    "streamed calls": (streamed("native"), ("", "<tool_call>", "<tool_")),
    "thoughts": (thoughts, ("", "<think>", "<thi")),
    "chat completion": (answered, ("", "<think>")),
    "parallel calls": (called, ("",)),
    "refusal": (lambda text: str(llama_errors.as_error(refusal(text), SERVER)), ("", "model ", "try again in ")),
    "request to replay": (replay_request.without_ids, ("", "01234567-")),
    "memory": (remembered, ("", "a ", "私")),
    "plan": (planned, ("", "/*PLANNING*/", "/*FINAL_ANSWER*/", "/*")),
    "streamed plan": (planned_live, ("", "/*PLANNING*/", "/*FINAL_ANSWER*/", "/*")),
    "pattern of a case": (lambda text: matches("*a*b*aab*", text), ("", "a")),
    "pattern of a case, the pattern": (lambda text: matches(f"*{text}*", text), ("", "*", "a*")),
    "numbers of an answer": (numbers_in, ("", "1,")),
    "number of an answer": (only_number, ("", "1,", "1 000 ", "十", "€")),
    "list of an answer": (entities_in, ("", "a,", "[")),
    "answer, folded": (folded, ("", ".", "。")),
    "line of a data set": (object_in, ("", '{"question": "', "[", '{"a":')),
    "rewriter's notes": (
        lambda text: rewrite(text, question="", given="", feedback=""),
        ("", "a = b\n", "a: ", "Also known: a, "),
    ),
    "fault": (fault.Fault.parse, ("", "a:delay:")),
    "address": (connections.checked_url, ("", "http://")),
    "redaction": (connections.redact, ("", "?key=", "authorization: Bearer ")),
    "title": (labels.title_of, ("",)),
    "Markdown": (labels.plain, ("",)),
    "difference by words": (lambda text: word_diff("x " * MANY + text + "b", "y " * MANY + text + "d"), ("",)),
    "terminal": (visible, ("",)),
    "terminal, live": (shown_live, ("",)),
}
"""What reads text from outside: a function, and the beginnings after which it reads on."""

SERVER = llama_errors.Server("llama/test", "http://127.0.0.1:8080")


def refusal(text):
    return llama_errors.Refusal(400, text)


@pytest.mark.parametrize(("name", "head"), [(name, head) for name, (_, heads) in READERS.items() for head in heads])
def test_a_reader_is_linear(name, head):
    read, _ = READERS[name]

    def attempt(text):
        with suppress(PlaygroundError, ValueError):
            read(text)

    assert_linear(attempt, head=head)


COPIES = {
    "lines below a bullet": (text_format.read_text, Attack("[a-1] helpful=0 harmful=0 :: x\n", "a\n")),
    "comments on a line": (text_format.read_text, Attack("", "<!---->")),
    "negations": (lambda text: disagreement.Reading(text).claims, Attack("", "not ")),
    "objects that are no JSON": (lambda text: calls_and_texts_in(text, {"look"}, repair=False), Attack("", "{a}")),
    "quotation marks in a response": (lambda text: read_reply(text, TOOLS), Attack('{"response": "', '"')),
    "a response that is over": (streamed("json"), Attack('{"response": "a"', "\t")),
    "parallel calls": (called, Attack("", "a")),
}
"""What once copied or looked through all that it had read, or all that was left, at every step."""


@pytest.mark.parametrize("name", COPIES)
def test_nothing_is_copied_at_every_step(name):
    read, attack = COPIES[name]
    assert (it := first_steep(read, [attack], largest=LONG, enough=2.0)) is None, str(it)


# -- the measure itself


def places_kept_in_a_list(text: str) -> None:
    known = []
    for at in range(len(text)):
        if at not in known:
            known.append(at)


def rest_read_from_every_quote(text: str) -> None:
    at = text.find('"')
    while at >= 0:
        text[at:].casefold()
        at = text.find('"', at + 1)


@pytest.mark.parametrize("read", [places_kept_in_a_list, rest_read_from_every_quote])
def test_a_function_that_is_not_linear_is_found(read):
    with pytest.raises(AssertionError, match="times half of them"):
        assert_linear(read)


@pytest.mark.parametrize("read", [str.split, str.casefold, "\n".join, sorted])
def test_a_linear_function_passes(read):
    assert_linear(read)
