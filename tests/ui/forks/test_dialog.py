"""The dialog *What if…*, the head of a fork, and repetitions."""

from __future__ import annotations

import json

import pytest

from agents.errors import ForkError
from agents.forks import MessageChange
from tests.ui.stage import finish, page, query, said
from tests.ui.state.test_quick_input import ask_meanwhile
from ui.forks import actions, dialog, forms
from ui.forks.fork_point import fork_point, message_of_run
from ui.state import runs

WRITING = "iterative_writing"


def ran(manager, pipeline=WRITING, message="a lighthouse keeper", **options) -> str:
    run = manager.start(pipeline, message, **options)
    finish(manager, pipeline, run.session_id)
    return run.session_id


def events(session, pipeline=WRITING):
    return [(entry.seq, entry.event()) for entry in runs.manager().sessions.log(pipeline, session) if entry.kind == "event"]


def seq_of(session, author, number=0, pipeline=WRITING):
    return [seq for seq, event in events(session, pipeline) if event.author == author][number]


def opened(session, seq, pipeline=WRITING, kind="change", about=""):
    """The page with the dialog open at an entry."""
    at = page(pipeline=pipeline, session=session)
    where = {"pipeline": pipeline, "session": session, "seq": seq}
    at.session_state[actions.DIALOG] = {"kind": kind, "about": about, **where, "forks": []}
    return at.run()


def choose(at, *kinds):
    [pills] = [found for found in at.button_group if found.key and found.key.endswith("_kinds")]
    return pills.set_value(list(kinds)).run()


def offered(at):
    [pills] = [found for found in at.button_group if found.key and found.key.endswith("_kinds")]
    return pills.options


def told(at):
    """All text, without the backslashes that keep it from being Markdown."""
    return " ".join(found.value for found in [*at.markdown, *at.caption]).replace("\\", "")


def pressed(at, key):
    return at.button(key=key).click().run()


def forks_of(manager, session, pipeline=WRITING):
    return [found.id for found in manager.sessions.summaries(pipeline) if found.origin == session]


# The cut


def test_the_cut_is_said_in_words_and_what_is_copied(manager):
    session = ran(manager)
    at = opened(session, seq_of(session, "CriticAgent", 1))
    assert "After **event 5: CriticAgent, pass 2 of RefinementLoop**" in told(at)
    assert "`app:` and `user:` state are copied" in told(at)
    assert "This session stays as it is" in told(at)


def test_the_log_is_read_once_for_all_that_is_typed_into_the_dialog(manager, monkeypatch):
    session, read = ran(manager), []
    monkeypatch.setattr(actions, "fork_point", lambda *given: read.append(given) or fork_point(*given))
    at = choose(opened(session, seq_of(session, "CriticAgent")), "state", "answer")
    at.run()
    assert len(read) == 1


@pytest.mark.parametrize(
    ("author", "number", "kinds"),
    [
        ("user", 0, ["The message", "An instruction", "A state value", "A model", "Faults"]),
        ("CriticAgent", 0, ["The answer", "An instruction", "A state value", "A model", "Faults"]),
        ("RefinerAgent", -1, ["A tool's result", "An instruction", "A state value", "A model", "Faults"]),
    ],
)
def test_the_changes_that_fit_the_entry_are_offered(manager, author, number, kinds):
    session = ran(manager)
    assert offered(opened(session, seq_of(session, author, number))) == kinds


def test_the_request_to_an_agent_called_as_a_tool_is_no_message_of_the_user(manager):
    session = ran(manager, "report_writer", "honeybees")
    request = seq_of(session, "user", 1, "report_writer")
    assert "The message" not in offered(opened(session, request, "report_writer"))
    assert message_of_run("report_writer", session, request) == seq_of(session, "user", 0, "report_writer")
    with pytest.raises(ForkError, match="not a message of the user"):
        runs.workspace().forks.rerun("report_writer", session, at=request, changes=[MessageChange(text="owls")])


def test_a_session_with_a_playbook_offers_it_and_says_that_it_is_copied(manager):
    session = ran(manager, "ace", manager.catalog.get("ace").card.samples[0])
    at = opened(session, events(session, "ace")[-1][0], "ace")
    assert offered(at)[-1] == "The playbook"
    assert "the playbook ace are copied" in told(at)


# A tool's result that was clicked, and a state key that is missing


def test_the_result_that_was_clicked_is_the_one_that_is_changed(stages):
    session = ran(stages, "travel", "where to?")
    seq, results = next(
        (seq, found) for seq, event in events(session, "travel") if (found := event.get_function_responses())
    )
    call = results[1].id
    at = opened(session, seq, "travel", about=call)
    assert at.selectbox(key=f"fork_{seq}_result_of{call}").value == call
    assert at.selectbox(key=f"fork_{seq}_result_of{call}").options[0].startswith('1. weather: {"city": "Oslo"')
    at = at.text_area(key=f"fork_{seq}_result_{call}").set_value('{"city": "Bergen", "sky": "rain"}').run()
    pressed(at, "fork_run")
    [fork] = forks_of(stages, session, "travel")
    finish(stages, "travel", fork)
    assert "Oslo sunny, Bergen rain" in [event.text for _, event in events(fork, "travel")]


@pytest.mark.parametrize("about", ["", "no such call"])
def test_without_a_click_on_a_result_nothing_is_chosen(stages, about):
    session = ran(stages, "travel", "where to?")
    seq = next(seq for seq, event in events(session, "travel") if event.get_function_responses())
    at = opened(session, seq, "travel", about=about)
    assert f"fork_{seq}_result_of" not in [found.key for found in at.selectbox]
    at = choose(at, "tool_result")
    assert at.selectbox(key=f"fork_{seq}_result_of").value == next(iter(fork_point(stages, "travel", session, seq).results))


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        *(("warm & short", "warm & short"), ("3", 3), ('"3"', "3"), ("true", True), ('["a", {"b": 1}]', ["a", {"b": 1}])),
        *(("NaN", "NaN"), ("猫 {x}", "猫 {x}"), ('""', "")),
    ],
)
def test_a_missing_state_key_is_set_and_what_failed_runs_again_in_a_fork(stages, typed, value):
    session = ran(stages, "travel", "where to?")
    before = stages.sessions.log("travel", session)
    [failed] = [(seq, event) for seq, event in events(session, "travel") if event.error_code == "MISSING_STATE_KEY"]
    at = opened(session, failed[0], "travel", kind="state", about="tone")
    assert "with the state key **tone**" in told(at)
    at = at.text_area(key=f"missing_key_{failed[0]}").set_value(typed).run()
    at = pressed(at, "missing_key_run")
    [fork] = forks_of(stages, session, "travel")
    finish(stages, "travel", fork)
    assert query(at)["session"] == fork
    assert stages.sessions.state("travel", fork)["tone"] == value
    assert stages.sessions.find("travel", fork).status == "completed"
    assert "Writer" in [event.author for _, event in events(fork, "travel")]
    assert stages.sessions.log("travel", session) == before


@pytest.mark.parametrize("typed", ["", "  ", '{"a": ', "[1,", '"open'])
def test_a_value_that_is_empty_or_broken_json_is_refused(stages, typed):
    session = ran(stages, "travel", "where to?")
    seq = next(seq for seq, event in events(session, "travel") if event.error_code)
    at = opened(session, seq, "travel", kind="state", about="tone")
    at = at.text_area(key=f"missing_key_{seq}").set_value(typed).run()
    at = pressed(at, "missing_key_run")
    assert "Type a value" in said(at) or "This is not JSON" in said(at)
    assert forks_of(stages, session, "travel") == []


# Runs


def test_another_instruction_runs_on_live_and_the_fork_leads_back_to_its_origin(manager):
    session = ran(manager)
    before = runs.manager().sessions.log(WRITING, session)
    at = choose(opened(session, seq_of(session, "CriticAgent", 1)), "instruction")
    key = f"fork_{seq_of(session, 'CriticAgent', 1)}_instruction"
    at = at.selectbox(key=f"{key}_of").set_value("RefinerAgent").run()
    area = at.text_area(key=f"{key}_RefinerAgent")
    at = area.set_value(area.value.replace("{criticism}", "Senses: Too little here can be heard.")).run()
    at = pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    finish(manager, WRITING, fork)
    assert runs.manager().sessions.log(WRITING, session) == before
    assert (
        manager.sessions.state(WRITING, fork)["current_document"]
        != manager.sessions.state(WRITING, session)["current_document"]
    )
    shown = page(pipeline=WRITING, session=fork)
    assert "Fork of “a lighthouse keeper” after event 5, with instruction of RefinerAgent" in told(shown)
    back = pressed(shown, "open_origin")
    assert (query(back)["session"], query(back)["at"], query(back)["tab"]) == (session, "5", "event")


def test_several_changes_at_once(manager):
    session = ran(manager)
    seq = seq_of(session, "CriticAgent")
    at = choose(opened(session, seq), "answer", "state", "model")
    at.text_area(key=f"fork_{seq}_answer").set_value("Ending: Add one.")
    at.selectbox(key=f"fork_{seq}_state_key").set_value("initial_topic").run()
    at = at.text_area(key=f"fork_{seq}_state_initial_topic").set_value('["猫", 1]').run()
    assert "It was text and becomes a list." in told(at)
    pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    assert runs.workspace().forks.origin(WRITING, fork).what == (
        'another answer, “Ending: Add one.”; state initial_topic = ["猫", 1]; model simulated'
    )
    assert manager.sessions.state(WRITING, fork)["initial_topic"] == ["猫", 1]


@pytest.mark.parametrize("typed", ["", "no json", "NaN", '{"a":', "[" * 100_000, "x" * 100_000])
def test_a_state_value_that_is_no_json_is_refused_and_nothing_runs(manager, typed):
    session = ran(manager)
    seq = seq_of(session, "CriticAgent")
    at = choose(opened(session, seq), "state")
    at = at.text_area(key=f"fork_{seq}_state_initial_topic").set_value(typed).run()
    assert "This is not JSON" in said(at)
    for key in ("fork_run", "fork_run_many"):
        at = pressed(at, key)
        assert "This is not JSON" in said(at)
        assert forks_of(manager, session) == []
    at.text_area(key=f"fork_{seq}_state_initial_topic").set_value('"a mill"')
    assert not at.button(key="fork_run").disabled, "so that a click right after the cure is not lost"
    pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    assert manager.sessions.state(WRITING, fork)["initial_topic"] == "a mill"


@pytest.mark.parametrize(
    "typed", ["{}", '[{"tool": 1}]', '[{"tool": "a", "args": []}]', '[{"tool": "a", "more": 1}]', "[[]]"]
)
def test_tool_calls_of_another_form_are_refused(manager, typed):
    session = ran(manager)
    seq = seq_of(session, "CriticAgent")
    at = choose(opened(session, seq), "answer")
    at = at.text_area(key=f"fork_{seq}_calls").set_value(typed).run()
    assert "Tool calls are a list in JSON" in said(at)


def test_an_answer_by_a_tool_call(manager):
    session = ran(manager)
    seq = seq_of(session, "RefinerAgent")
    at = choose(opened(session, seq), "answer")
    at.text_area(key=f"fork_{seq}_answer").set_value("")
    at = at.text_area(key=f"fork_{seq}_calls").set_value('[{"tool": "exit_loop"}]').run()
    pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    finish(manager, WRITING, fork)
    assert len(events(fork)) == len([seq_ for seq_, _ in events(session) if seq_ <= seq]) + 1


def test_runs_are_repeated_and_counted(manager):
    session = ran(manager)
    at = opened(session, seq_of(session, "CriticAgent"))
    at = pressed(at, "fork_run_many")
    forks = at.session_state[actions.DIALOG]["forks"]
    assert len(forks) == dialog.USUAL_REPETITIONS == len(forks_of(manager, session))
    for fork in forks:
        finish(manager, WRITING, fork)
    at = at.run()
    assert f"**{len(forks)} runs**: {len(forks)} ✓ completed" in told(at)
    assert f"**{len(forks)} ×** the same answers as this session" in told(at)
    at = pressed(at, f"open_{forks[1]}")
    assert query(at)["session"] == forks[1]
    assert actions.DIALOG not in at.session_state


def test_a_fork_is_shown_even_if_the_dialog_is_closed_while_it_begins(manager, monkeypatch):
    session, real = ran(manager), type(runs.workspace().forks).rerun

    def closed_meanwhile(*given, **more):
        ask_meanwhile(f"pipeline={WRITING}&session={session}")
        return real(*given, **more)

    monkeypatch.setattr(type(runs.workspace().forks), "rerun", closed_meanwhile)
    at = pressed(opened(session, seq_of(session, "CriticAgent")), "fork_run")
    assert [query(at)["session"]] == forks_of(manager, session)


def test_answers_that_differ_are_shown_by_the_agents_that_differ():
    groups = [
        results_group({"A": "same", "B": "one"}),
        results_group({"A": "same", "B": "two"}),
        results_group({"A": "same"}),
    ]
    assert dialog._differing(groups) == ["B"]
    assert dialog._differing(groups[:1]) == []


def results_group(answers):
    from agents.forks import SameAnswers

    return SameAnswers(answers, ("s",), as_origin=False)


def test_a_rewound_session_leaves_the_list_and_can_be_brought_back(manager):
    session = ran(manager)
    seq = seq_of(session, "CriticAgent")
    at = opened(session, seq)
    at = at.toggle(key=f"fork_{seq}_rewind").set_value(True).run()
    assert "fork_run_many" not in [button.key for button in at.button]
    at = pressed(at, "fork_run")
    [only] = manager.sessions.summaries(WRITING)
    assert (only.origin, query(at)["session"]) == (session, only.id)
    assert "Fork of a session that was deleted" in told(at)
    at = pressed(at, "undo_delete")
    assert {found.id for found in manager.sessions.summaries(WRITING)} == {session, only.id}


def test_after_the_end_there_is_nothing_to_run_and_the_fork_waits_for_a_message(manager):
    session = ran(manager)
    last = runs.manager().sessions.log(WRITING, session)[-1].seq
    at = opened(session, last)
    assert "No run was under way there" in told(at)
    assert "fork_run_many" not in [button.key for button in at.button]
    pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    assert manager.sessions.find(WRITING, fork).status != "running"


def test_before_the_first_event(manager):
    session = ran(manager)
    at = opened(session, runs.manager().sessions.log(WRITING, session)[0].seq)
    assert "After **the beginning, before the first event**" in told(at)


def test_before_the_message_of_a_run_there_is_nothing_to_run_either(manager):
    session = ran(manager)
    [began] = [entry.seq for entry in manager.sessions.log(WRITING, session) if entry.kind == "run_started"]
    at = opened(session, began)
    assert "waits for your message" in told(at)
    at = pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    assert [found.status for found in manager.sessions.summaries(WRITING) if found.id == fork] == ["idle"]


def test_an_entry_that_is_not_there_is_said(manager):
    session = ran(manager)
    assert "not in this session any more" in said(opened(session, 10**9))


def test_the_dialog_closes_when_another_session_is_opened(manager):
    first, second = ran(manager), ran(manager, message="another")
    at = opened(first, seq_of(first, "CriticAgent"))
    at.query_params["session"] = second
    at = at.run()
    assert actions.DIALOG not in at.session_state


def test_an_origin_that_was_deleted_in_another_tab_is_named(manager):
    session = ran(manager)
    at = opened(session, seq_of(session, "CriticAgent"))
    manager.sessions.delete(WRITING, session)
    at = pressed(at, "fork_run")
    assert "This session of" in said(at)
    assert manager.sessions.summaries(WRITING) == []


def test_a_hostile_text_is_no_markdown(manager):
    hostile = "<script>alert(1)</script> **a** :red[x]"
    session = ran(manager, message=hostile)
    seq = seq_of(session, "user")
    at = choose(opened(session, seq), "message")
    assert "In place of" in told(at)
    at.button(key="fork_run").click().run()
    assert "Nothing would be different" in at.error[0].value
    assert forks_of(manager, session) == []
    at.text_area(key=f"fork_{seq}_message").set_value(f"{hostile} again").run()
    pressed(at, "fork_run")
    [fork] = forks_of(manager, session)
    heads = [found.value for found in page(pipeline=WRITING, session=fork).caption if found.value.startswith("Fork of")]
    assert [("**a**" in head, ":red[x]" in head) for head in heads] == [(False, False)]


def test_every_kind_of_change_has_a_form():
    from agents.forks.changes import Change

    kinds = {kind.model_fields["kind"].default for kind in Change.__args__[0].__args__}
    assert set(forms._FORMS) == kinds


def test_json_is_what_a_value_is_prefilled_with(manager):
    session = ran(manager)
    seq = seq_of(session, "CriticAgent")
    at = choose(opened(session, seq), "state")
    area = at.text_area(key=f"fork_{seq}_state_initial_topic")
    assert json.loads(area.value) == "a lighthouse keeper"


def test_the_head_of_a_fork_links_to_its_comparison_with_the_origin(manager):
    session = ran(manager)
    [fork] = runs.workspace().forks.rerun(WRITING, session, at=seq_of(session, "CriticAgent"))
    finish(manager, WRITING, fork)
    at = page(pipeline=WRITING, session=fork)
    links = [found.proto for found in at.get("page_link")]
    [link] = [found for found in links if found.label == "Compare"]
    assert f"{WRITING}%3A{session}" in link.query_string or f"{WRITING}:{session}" in link.query_string
