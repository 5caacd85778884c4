"""What a run looks like in a terminal."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from agents.event import Event, EventActions
from agents.log import LogEntry, TraceRecord, event_to_json
from agents.runs.values import Partial, PendingCall, Run
from ui.cli.terminal import Terminal, wants_colour
from ui.cli.terminal_words import question_of
from ui.text.answered_by import kind_of_model
from ui.text.visible_text import visible

RUN = Run("stage", "session 1", "e-1", "simulated", "person")
DONE = {"status": "completed", "calls": 2, "tokens": {"input": 30, "output": 12}, "duration": 1.26}


def said(text: str, *, author: str = "Writer", id: str = "e", thought: str = "", **fields: Any) -> LogEntry:
    parts = [types.Part(text=thought, thought=True)] if thought else []
    content = types.Content(role="model", parts=[*parts, types.Part(text=text)])
    return stored(Event(id=id, author=author, content=content, **fields))


def stored(event: Event) -> LogEntry:
    return LogEntry(1, "event", event_to_json(event))


def record(kind: str, agent: str = "Loop", branch: str | None = None, **data: Any) -> LogEntry:
    return LogEntry(1, kind, TraceRecord(kind, agent=agent, branch=branch, data=data).to_json())


def shown(*news: LogEntry | Partial, live: bool = False, colour: bool = False) -> str:
    stream = io.StringIO()
    terminal = Terminal(stream, live=live, colour=colour)
    number = 0
    for item in news:
        if isinstance(item, Partial):
            terminal.show_partial(item)
            continue
        number += item.kind == "event"
        terminal.show_entry(item, number)
    return stream.getvalue()


def test_messages_come_under_their_author_once():
    assert shown(said("a lighthouse", author="user"), said("The lamp\nwas dark.", id="a"), said("Then light.", id="b")) == (
        "● you\n  a lighthouse\n  event 1\n◆ Writer\n  The lamp\n  was dark.\n  event 2\n  Then light.\n  event 3\n"
    )


def test_loop_iterations_are_headings():
    assert shown(
        record("loop_iteration", iteration=1, max_iterations=5),
        said("More fear.", author="Critic"),
        record("loop_iteration", iteration=2, max_iterations=None),
        said("Good.", author="Critic", id="b"),
        record("loop_finished", reason="escalated", by="Refiner", iterations=2),
    ) == (
        "── Loop: iteration 1 of 5 ──\n◆ Critic\n  More fear.\n  event 1\n"
        "── Loop: iteration 2 ──\n◆ Critic\n  Good.\n  event 2\n"
        "── Loop ended: Refiner told it to end ──\n"
    )


@pytest.mark.parametrize(
    ("reason", "says"),
    [("max_iterations", "the limit of 1 iteration was reached"), ("empty", "it has no agents to run"), ("odd", "odd")],
)
def test_why_a_loop_ended(reason, says):
    assert says in shown(record("loop_finished", reason=reason, iterations=1))


def test_a_tool_call_and_its_result_share_a_line():
    call = types.FunctionCall(id="1", name="count", args={"image": "a.png", "twice": True})
    answer = types.FunctionResponse(id="1", name="count", response={"count": 3})
    events = [
        Event(author="Painter", content=types.Content(parts=[types.Part(function_call=call)])),
        Event(author="Painter", content=types.Content(parts=[types.Part(function_response=answer)])),
    ]
    assert shown(*map(stored, events)) == (
        '◆ Painter\n  event 1\n  count(image="a.png", twice=true) → {"count": 3}\n  event 2\n'
    )


@pytest.mark.parametrize(
    ("response", "says"),
    [
        ({"result": None}, "count(…) → null\n"),
        ({"result": "x" * 1000}, "x…\n"),
        ({"error": "no such image"}, 'count(…) ✗ "no such image"\n'),
    ],
)
def test_results_are_short_and_errors_are_marked(response, says):
    answer = types.FunctionResponse(id="1", name="count", response=response)
    event = Event(author="Painter", content=types.Content(parts=[types.Part(function_response=answer)]))
    line = shown(stored(event)).splitlines(keepends=True)[-2]
    assert line.endswith(says)
    assert len(line) < 200


def test_state_errors_images_and_thoughts_are_told():
    image = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"x" * 2048))
    events = [
        said("Yes.", thought="Hm."),
        stored(Event(author="Writer", actions=EventActions(state_delta={"draft": 1, "app:n": 2}))),
        stored(Event(author="Writer", content=types.Content(parts=[image]))),
        stored(Event(author="Writer", error_code="BOOM", error_message="The lamp broke.")),
    ]
    assert shown(*events) == (
        "◆ Writer\n  Hm.\n  Yes.\n  event 1\n  event 2 · state: draft, app:n\n"
        "  [image/png, 2.0 KiB]\n  event 3\n  ✗ BOOM: The lamp broke.\n  event 4\n"
    )


def test_a_model_that_is_loaded_is_told_once_whatever_its_name():
    steps = [record("model_loading", model=["m"], progress=progress) for progress in (0.1, "half", 0.9)]
    assert shown(*steps).splitlines() == ["── Loop: Loading the model ['m'] (10 %) … ──"]


def test_branches_are_named():
    assert shown(said("Hi.", branch="Parallel.Left")) == "◆ Writer  Parallel.Left\n  Hi.\n  event 1\n"


def test_a_simulated_run_says_so_twice():
    stream = io.StringIO()
    terminal = Terminal(stream, live=False, colour=False)
    terminal.show_entry(record("run_started", simulated=True), 0)
    terminal.finish(RUN, DONE)
    assert "── simulated:" in stream.getvalue()
    assert "2 model calls (simulated)" in stream.getvalue()


def test_the_end_names_the_session_and_the_way_to_see_it():
    stream = io.StringIO()
    Terminal(stream, live=False, colour=False).finish(RUN, DONE, options=" --db 'my runs.db'")
    assert stream.getvalue() == (
        "\ncompleted · 2 model calls · 30 tokens in, 12 out · 1.3 s\nsession session 1\n"
        "To see it in the browser: playground --db 'my runs.db', "
        "then http://127.0.0.1:8501/?pipeline=stage&session=session+1\n"
    )


def test_a_run_marked_by_another_process_has_an_end_too():
    stream = io.StringIO()
    Terminal(stream, live=False, colour=False).finish(RUN, {"status": "interrupted"})
    assert "interrupted · 0 model calls · 0 tokens in, 0 out · 0.0 s" in stream.getvalue()


def partial(offset: int, text: str, *, id: str = "e", author: str = "Writer", thought: bool = False) -> Partial:
    return Partial(id, author, None, offset, text, thought)


def test_streamed_text_is_written_as_it_comes_and_not_again():
    news = [partial(0, "The "), partial(4, "lamp"), said("The lamp")]
    assert shown(*news[:1], live=True) == "◆ Writer\n  The "
    assert shown(*news, live=True) == "◆ Writer\n  The lamp\n  event 1\n"


def test_nothing_is_streamed_where_nobody_watches_live():
    assert shown(partial(0, "The "), partial(4, "lamp")) == ""


def test_thoughts_and_text_are_streamed_apart():
    news = [partial(0, "Hm.", thought=True), partial(0, "Y"), partial(1, "es."), said("Yes.", thought="Hm.")]
    assert shown(*news, live=True) == "◆ Writer\n  Hm.\n  Yes.\n  event 1\n"


def test_the_whole_adds_what_was_not_streamed():
    assert shown(partial(0, "The "), said("The lamp"), live=True) == "◆ Writer\n  The lamp\n  event 1\n"


def test_a_whole_that_differs_is_written_out():
    assert shown(partial(0, "A lamp"), said("The lamp"), live=True) == "◆ Writer\n  A lamp\n  The lamp\n  event 1\n"


def test_of_two_streams_the_second_waits_for_its_whole():
    news = [
        partial(0, "left ", id="l", author="L"),
        partial(0, "right ", id="r", author="R"),
        partial(5, "one", id="l", author="L"),
        said("left one", author="L", id="l"),
        said("right one", author="R", id="r"),
    ]
    assert shown(*news, live=True) == "◆ L\n  left one\n  event 1\n◆ R\n  right one\n  event 2\n"


def test_a_stream_that_is_interrupted_is_written_in_full_at_its_end():
    news = [
        partial(0, "left ", id="l", author="L"),
        said("right", author="R", id="r"),
        said("left one", author="L", id="l"),
    ]
    assert shown(*news, live=True) == "◆ L\n  left \n◆ R\n  right\n  event 1\n◆ L\n  left one\n  event 2\n"


def test_control_characters_do_not_reach_the_terminal():
    evil = "\x1b]0;pwned\x07\x1b[2Jhi\r\n\u009b31m\x7f"
    assert visible(evil) == "␛]0;pwned␇␛[2Jhi\n\ufffd31m␡"
    for output in (shown(said(evil)), shown(partial(0, evil), said(evil), live=True), shown(said("x", author=evil))):
        assert not set(output) & set("\x1b\x07\r\u009b\x7f")


def test_what_reorders_or_hides_text_does_not_reach_the_terminal():
    evil = "a\u202eb\u2066c\u200bd\u2028e\U000e0041"
    outputs = [
        shown(said(evil)),
        shown(partial(0, evil), said(evil), live=True),
        shown(said("x", author=evil)),
        shown(record("route_decided", router="R", key="k", reason=f"{evil}\n── R chooses other ──")),
        shown(stored(Event(author="A", error_code="X", error_message=evil))),
        shown(stored(Event(author="A", actions=EventActions(state_delta={evil: 1})))),
    ]
    for output in outputs:
        assert not set(output) & set("\u202e\u2066\u200b\u2028\U000e0041")
    assert "── R chose k: a\\u202eb" in outputs[3]
    assert outputs[3].count("\n") == 1, "a heading has one line"


def test_every_agent_has_its_colour_and_errors_are_red():
    output = shown(
        said("a", author="A"),
        said("b", author="B", id="2"),
        said("c", author="A", id="3"),
        stored(Event(author="A", error_code="X", error_message="y")),
        colour=True,
    )
    assert output.count("\x1b[1;36m◆ A\x1b[0m") == 2
    assert output.count("\x1b[1;35m◆ B\x1b[0m") == 1
    assert "\x1b[31m✗ X: y\x1b[0m" in output


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Tty(), {}, True),
        (Tty(), {"NO_COLOR": ""}, True),
        (Tty(), {"NO_COLOR": "1"}, False),
        (Tty(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(stream, environment, wanted, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(stream) is wanted


def test_records_of_unknown_kinds_are_passed_over():
    assert shown(LogEntry(1, "weather_changed", json.dumps({"to": "rain"}))) == ""


@pytest.mark.parametrize(
    ("entry", "heading"),
    [
        (
            record(
                "route_decided", "R", router="Chooser", level="agent", key="fallback", failed=["primary"], reason="it is up"
            ),
            "Chooser chose fallback (after primary failed): it is up",
        ),
        (
            record("route_decided", "Writer", router="Cheap", level="model", key="small", failed=[]),
            "Cheap chose small (model of Writer)",
        ),
        (
            record("route_decided", "R", router="R", level="agent", key=None, failed=["a", "b"], error="both are down"),
            "R chose none (after a and b failed): both are down",
        ),
        (record("transfer", "Desk", to="Billing"), "Desk handed over to Billing"),
        (
            record("fault_injected", "Critic", fault="delay", target="*", model="m", call=2, seconds=1.5),
            "injected: Critic is slow to begin: 1.5 s",
        ),
        (record("fault_injected", "Critic", fault="odd", target="Critic", call=1), "injected: Critic odd"),
    ],
)
def test_decisions_are_headings(entry, heading):
    assert shown(entry) == f"── {heading} ──\n"


def test_an_agent_that_works_as_a_tool_is_shown_inside_of_the_call():
    inner = "Searcher:1a2b3c"
    assert shown(
        said("Looking.", id="a"),
        said("find the gate", author="user", id="b", branch=inner),
        said("Here.\nBelow.", author="Searcher", id="c", branch=inner),
        record("transfer", "Searcher", to="Deep", branch=inner),
        said("Deeper.", author="Deep", id="d", branch=f"{inner}.Left.Deep:4d5e6f.Right"),
        said("Done.", id="e"),
    ) == (
        "◆ Writer\n  Looking.\n  event 1\n"
        "    ● asked\n      find the gate\n      event 2\n    ◆ Searcher\n      Here.\n      Below.\n      event 3\n"
        "    ── Searcher handed over to Deep ──\n"
        "        ◆ Deep  Right\n          Deeper.\n          event 4\n"
        "◆ Writer\n  Done.\n  event 5\n"
    )


def question(name: str, args: dict[str, Any], id: str = "c1") -> LogEntry:
    call = types.FunctionCall(id=id, name=name, args=args)
    content = types.Content(parts=[types.Part(function_call=call)])
    return stored(Event(author="Clerk", content=content, long_running_tool_ids={id}))


def reply(name: str, response: dict[str, Any], id: str = "c1") -> LogEntry:
    answer = types.FunctionResponse(id=id, name=name, response=response)
    return stored(Event(author="user", content=types.Content(parts=[types.Part(function_response=answer)])))


CONFIRM = "adk_request_confirmation"
ASKED = {
    "originalFunctionCall": {"id": "c0", "name": "pay", "args": {"amount": 500}},
    "toolConfirmation": {"hint": "Large."},
}


@pytest.mark.parametrize(
    ("response", "says"),
    [
        ({"confirmed": True}, "approved"),
        ({"confirmed": False, "reason": "too much"}, "rejected: too much"),
        ({"confirmed": True, "args": {"amount": 80}}, "approved, with arguments(amount=80)"),
    ],
)
def test_a_question_and_its_answer(response, says):
    assert shown(question(CONFIRM, ASKED), reply(CONFIRM, response)) == (
        f"◆ Clerk\n  ? may it pay(amount=500)? Large.\n  event 1\n● you\n  {says}\n  event 2\n"
    )


def test_a_result_that_comes_later():
    assert shown(question("ask", {"what": "credit"}), reply("ask", {"result": "granted"})) == (
        '◆ Clerk\n  ? ask(what="credit") waits for its result\n  event 1\n'
        '● you\n  ask(what="credit") → "granted"\n  event 2\n'
    )


def test_a_question_of_a_graph_is_asked_in_its_words_and_its_answer_is_the_users():
    asked = question("adk_request_input", {"interruptId": "i1", "message": "Which title?", "payload": None})
    assert shown(asked, reply("adk_request_input", {"result": "Tea"})) == (
        '◆ Clerk\n  ? Which title?\n  event 1\n● you\n  Which title? → "Tea"\n  event 2\n'
    )
    call = {"pipeline": "p", "session_id": "s", "invocation_id": "e", "title": "", "call_id": "i1", "agent": "Clerk"}
    waiting = PendingCall(
        **call, tool="adk_request_input", args={"message": "Which title?"}, hint="", is_confirmation=False, asked_at=0.0
    )
    assert question_of(waiting) == "Which title?"
    assert question_of(replace(waiting, args={})) == "an answer is waited for"


def test_the_end_of_a_run_that_waits_says_how_to_answer():
    stream = io.StringIO()
    common = {"title": "", "invocation_id": "e-1", "agent": "Clerk", "tool": "pay", "args": {}, "hint": "", "asked_at": 0.0}
    waiting = [
        PendingCall(pipeline="stage", session_id="session 1", call_id="c 1", is_confirmation=True, **common),
        PendingCall(pipeline="stage", session_id="session 1", call_id="c2", is_confirmation=False, **common),
    ]
    terminal = Terminal(stream, live=False, colour=False)
    terminal.finish(RUN, {**DONE, "status": "paused"}, options=" --db x.db", waiting=waiting)
    assert stream.getvalue().endswith(
        "It waits for you. Answer with:\n"
        "  playground answer 'session 1' 'c 1' --db x.db --approve   (or --reject \"why\")\n"
        "  playground answer 'session 1' c2 --db x.db --response '{\"result\": …}'\n"
    )


def test_files_that_were_saved_are_named():
    event = Event(author="Writer", actions=EventActions(artifact_delta={"plan.txt": 2}))
    assert shown(stored(event)) == "◆ Writer\n  saved: plan.txt (version 2)\n  event 1\n"


def test_a_run_that_goes_on_says_so():
    assert shown(record("run_started", "", resumed=True)) == "── goes on where it was ──\n"


ORIGINS = Path(__file__).parents[1] / "origin_cases.json"
START = {"model": "simulated", "simulated": True}


def answered(text: str = "Yes.", *, by: str = "gemini-x", id: str = "e", **marks: Any) -> LogEntry:
    return said(text, id=id, model_version=by, custom_metadata=marks or None)


@pytest.mark.parametrize(
    ("start", "headings"),
    [
        (START, ["simulated: answers are computed by the pipeline's simulation, not by a language model"]),
        ({"model": "gemini-x"}, []),
        (
            {"model": "gemini-x", "simulated": True},
            ["partly simulated: answers are computed by a simulation where it says (simulated)"],
        ),
        ({"model": "replay/stage/a/b"}, ["replayed from session a/b"]),
        (
            {"model": "replay/stage/s-1", "simulated": True, "agent_models": {"Writer": "replay/stage/s-1"}},
            ["replayed from session s-1, whose answers were simulated"],
        ),
        (
            {**START, "agent_models": {"Writer": "gemini-x", "Critic": "simulated", "Editor": "llama/y"}},
            [
                "partly simulated: answers are computed by a simulation where it says (simulated)",
                "models of their own: Writer gemini-x, Editor llama/y",
            ],
        ),
    ],
)
def test_a_run_says_where_its_answers_come_from(start, headings):
    assert shown(record("run_started", "", **start)) == "".join(f"── {heading} ──\n" for heading in headings)


@pytest.mark.parametrize("case", json.loads(ORIGINS.read_text(encoding="utf-8")), ids=lambda case: str(case["started"]))
def test_a_run_is_simulated_as_the_session_view_says(case):
    stream = io.StringIO()
    terminal = Terminal(stream, live=False, colour=False)
    terminal.show_entry(record("run_started", "", **case["started"]), 0)
    stream.truncate(0)
    terminal.finish(RUN, DONE)
    said = stream.getvalue()
    assert ("partly simulated" in said, "simulated" in said) == (case["says"] == "partly", case["says"] != "")


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (START, "2 model calls (simulated) ·"),
        ({"model": "gemini-x"}, "2 model calls ·"),
        ({"model": "gemini-x", "simulated": True}, "2 model calls (partly simulated) ·"),
        ({"model": "replay/stage/s-1"}, "2 model calls (replayed) ·"),
        ({"model": "replay/stage/s-1", "simulated": True}, "2 model calls (replayed, simulated) ·"),
    ],
)
def test_the_end_says_it_too(start, says):
    stream = io.StringIO()
    terminal = Terminal(stream, live=False, colour=False)
    terminal.show_entry(record("run_started", "", **start), 0)
    terminal.finish(RUN, DONE)
    assert says in stream.getvalue()


@pytest.mark.parametrize(
    ("start", "answer", "says"),
    [
        (START, answered(by="simulated", simulated=True), ""),
        (START, answered(), "  (gemini-x)\n"),
        (START, answered(injected_fault="refuse"), ""),
        ({"model": "gemini-x"}, answered(), ""),
        ({"model": "gemini-x"}, answered(by="quick", simulated=True), "  (simulated)\n"),
        ({"model": "gemini-x"}, answered(replay={"session": "s-1"}), "  (gemini-x, replayed)\n"),
        ({"model": "gemini-x", "simulated": True}, answered(), "  (gemini-x)\n"),
        ({"model": "gemini-x", "simulated": True}, answered(by="quick", simulated=True), "  (simulated)\n"),
        ({"model": "replay/stage/s-1"}, answered(replay={"session": "s-1"}), ""),
        ({"model": "replay/stage/s-1"}, answered(simulated=True, replay={"session": "s-1"}), "  (simulated)\n"),
        ({"model": "gemini-x", "simulated": True}, said("Yes."), ""),
    ],
)
def test_an_answer_that_comes_from_elsewhere_says_so(start, answer, says):
    heading = shown(record("run_started", "", **start))
    assert shown(record("run_started", "", **start), answer) == f"{heading}◆ Writer\n  Yes.\n{says}  event 1\n"
    assert shown(record("run_started", "", **start), partial(0, "Ye"), answer, live=True).endswith(
        f"\n  Yes.\n{says}  event 1\n"
    )


@pytest.mark.parametrize(
    ("entry", "heading"),
    [
        (
            record("replay_drifted", "Writer", drifted=["instruction", "tools"], detail="The instruction differs: x."),
            "Writer: The request is not the recorded one: instruction and tools changed: The instruction differs: x.",
        ),
        (
            record("model_retry", "Writer", model="gemini-x", attempt=1, delay=2.5, code="503", error="Overloaded."),
            "Writer: The model gemini-x failed (503). Try 2 in 2.5 s",
        ),
        (
            record("model_retry", "Writer", model="gemini-x", attempt=2, delay=0, code="429", replayed=True),
            "Writer: The model gemini-x failed (429) when this was recorded, and was tried again (as recorded)",
        ),
        (
            record("tool_protocol", "Writer", model="tiny", protocol="json", reason="The server refused tools."),
            "Writer: Tools are called by JSON that the model writes: The server refused tools.",
        ),
        (
            record("tool_recorded", "Writer", tool="send", call_id="c1"),
            "Writer: send was not called: the result is the origin's",
        ),
        (record("model_loading", "Writer", model="local/a", progress=0.0), "Writer: Loading the model local/a …"),
        (record("model_loaded", "Writer", model="local/a", seconds=1.26), "Loaded the model local/a in 1.3 s"),
        (
            record("route_decided", "Writer", router="Cheap", level="model", key="small", failed=[], replayed=True),
            "Cheap chose small (model of Writer) (as recorded)",
        ),
    ],
)
def test_what_a_model_tells_on_its_way_is_a_heading(entry, heading):
    assert shown(entry) == f"── {heading} ──\n"


def test_a_model_that_is_loaded_step_by_step_says_so_once():
    steps = [record("model_loading", "Writer", model="local/a", progress=step / 4) for step in range(4)]
    done = record("model_loaded", "Writer", model="local/a", seconds=1)

    assert shown(*steps, done) == "── Writer: Loading the model local/a … ──\n── Loaded the model local/a in 1.0 s ──\n"
    assert shown(*steps, done, *steps, done).count("Loading the model") == 2


def test_what_a_record_says_commands_no_terminal():
    assert "\x1b" not in shown(record("replay_drifted", "W", drifted=["x"], detail="\x1b[2J"))


@pytest.mark.parametrize(
    ("model", "simulated", "says"),
    [
        ("", False, ""),
        ("simulated", True, "simulated"),
        ("simulated", False, "the agents' own models"),
        ("gemini-x", False, "gemini-x"),
        ("gemini-x", True, "partly simulated, gemini-x"),
        ("replay/stage/s-1", False, "replayed"),
        ("replay/stage/s-1", True, "replayed, simulated"),
    ],
)
def test_what_answered_a_session_is_a_word_or_two(model, simulated, says):
    assert kind_of_model(model, simulated=simulated) == says
