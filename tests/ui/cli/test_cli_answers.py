"""Runs that wait, from the command line: pending, answer, faults; called in this process."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from tests.ui.stage import STAGES
from ui.cli import main as cli


@pytest.fixture
def database(tmp_path, monkeypatch):
    path = tmp_path / "my sessions.db"
    monkeypatch.setenv("PLAYGROUND_DB", str(path))
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    return path


@pytest.fixture
def playground(database, capsys):
    """Runs the command; gives exit code, standard output and standard error."""

    def playground(*arguments: str) -> tuple[int, str, str]:
        try:
            code = cli.main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, *capsys.readouterr()

    return playground


@pytest.fixture
def asking(playground):
    """Runs a command with the pipelines of the stages."""
    return lambda *arguments: playground(*arguments, "--agents", str(STAGES))


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def waiting(asking):
    """A run that waits for a confirmation: its session and its call."""
    assert asking("run", "asking", "pay 500", "--json")[0] == 3
    [call] = lines(asking("pending", "--json")[1])
    return call["session_id"], call["call_id"]


def test_a_run_that_waits_ends_with_3_and_says_how_to_answer(asking, playground, database):
    code, output, errors = asking("run", "asking", "pay 500", "--db", str(database))
    assert (code, errors) == (3, "")
    assert "? may it pay(amount=500)?" in output
    assert "\npaused · 1 model call" in output
    *_, how = output.rstrip().splitlines()
    command, _, _ = how.strip().partition("   (or --reject")
    assert shlex.split(command)[0] == "playground"
    code, output, errors = playground(*shlex.split(command)[1:])
    assert (code, errors) == (0, "")
    assert "goes on where it was" in output
    assert "● you\n  approved\n" in output
    assert '→ {"paid": 500' in output
    assert "◆ Filing" in output


def test_json_keeps_its_shape_when_a_run_waits(asking):
    *events, summary = lines(asking("run", "asking", "pay 500", "--json")[1])
    assert set(summary) == {"session_id", "status", "calls", "tokens", "model", "simulated"}
    assert summary["status"] == "paused"
    assert events[-1]["long_running_tool_ids"]


def test_what_waits_is_listed_with_the_command_that_answers_it(asking, waiting):
    session, call = waiting
    code, output, errors = asking("pending")
    assert (code, errors) == (0, "")
    assert "Clerk asks: may it pay(amount=500)?" in output
    assert "asking · pay 500 · since " in output
    assert f"playground answer {session} {call} --agents {STAGES} --approve" in output
    [row] = lines(asking("pending", "--json", "--pipeline", "asking")[1])
    assert (row["tool"], row["args"], row["is_confirmation"]) == ("pay", {"amount": 500}, True)
    assert asking("pending", "--pipeline", "rehearsal")[1] == "Nothing waits for you.\n"


def test_nothing_waits_where_nothing_was_run_and_no_file_is_made(playground, database):
    assert playground("pending") == (0, "Nothing waits for you.\n", "")
    code, _, errors = playground("answer", "s", "c", "--approve")
    assert code == 2
    assert "there are no sessions in" in errors
    assert not database.exists()


def test_a_rejection_reaches_the_agent_with_its_reason(asking, waiting):
    code, output, _ = asking("answer", *waiting, "--reject", "too much")
    assert code == 0
    assert "rejected: too much" in output
    assert "✗" in output
    assert asking("pending")[1] == "Nothing waits for you.\n"


def test_a_call_is_approved_with_other_arguments(asking, waiting):
    code, output, _ = asking("answer", *waiting, "--approve", "--args", '{"amount": 80}')
    assert code == 0
    assert '{"paid": 80' in output


def test_the_result_of_a_tool_that_takes_its_time_is_given(asking):
    code, output, _ = asking("run", "asking", "ask credit?")
    assert code == 3
    assert "waits for its result" in output
    assert "--response" in output
    [call] = lines(asking("pending", "--json")[1])
    code, output, _ = asking("answer", call["session_id"], call["call_id"], "--response", '{"result": "granted"}', "--json")
    assert code == 0
    assert lines(output)[-1]["status"] == "completed"
    assert "granted" in output


@pytest.mark.parametrize("chosen", ["2", "coffee"])
def test_one_of_the_options_is_chosen_by_number_or_text(asking, chosen):
    code, output, _ = asking("run", "asking", "offer tea coffee")
    assert code == 3
    assert "--choose 1   (1: tea, 2: coffee)" in output
    [call] = lines(asking("pending", "--json")[1])
    where = (call["session_id"], call["call_id"])
    code, _, errors = asking("answer", *where, "--choose", "milk")
    assert code == 2
    assert "'milk' is none of the options. Choose one of them, or its number: tea, coffee." in errors
    code, output, _ = asking("answer", *where, "--choose", chosen)
    assert code == 0
    assert "came to {'result': 'coffee'}" in output


def test_a_call_without_options_offers_no_choice(asking, waiting):
    code, _, errors = asking("answer", *waiting, "--choose", "1")
    assert code == 2
    assert "pay offers no options to choose from" in errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--approve", "--args", "{"], "--args was given is not JSON"),
        (["--approve", "--args", "[1]"], "--args takes a JSON object"),
        (["--response", "5"], "--response takes a JSON object"),
        (["--reject", "no", "--args", "{}"], "--args belongs to --approve"),
        ([], "one of the arguments --approve --reject --choose --response is required"),
    ],
)
def test_an_answer_that_cannot_be_read_is_bad_input_and_changes_nothing(asking, waiting, arguments, says):
    code, output, errors = asking("answer", *waiting, *arguments)
    assert (code, output) == (2, "")
    assert says in errors
    assert len(lines(asking("pending", "--json")[1])) == 1


def test_an_answer_to_nothing_says_what_waits(asking, waiting):
    session, call = waiting
    code, _, errors = asking("answer", session, "nope", "--approve")
    assert code == 2
    assert f"the calls that wait there are: {call}" in errors
    code, _, errors = asking("answer", "elsewhere", call, "--approve")
    assert code == 2
    assert "nothing waits there" in errors
    assert asking("answer", session, call, "--approve")[0] == 0
    assert asking("answer", session, call, "--approve")[0] == 2


def test_a_fault_is_injected_and_shown(asking):
    code, output, errors = asking("run", "asking", "pay 5", "--fault", "Clerk:fail_before:1")
    assert (code, errors) == (1, "")
    assert "── injected: Clerk fails before its first word ──" in output
    assert "\nfailed · " in output


def test_faults_of_others_hit_nobody(asking):
    assert asking("run", "asking", "pay 5", "--fault", "Filing:fail_before:2", "--fault", "*:refuse:9")[0] == 0


def test_a_fault_that_cannot_be_read_is_bad_input(asking):
    code, output, errors = asking("run", "asking", "pay 5", "--fault", "Clerk")
    assert (code, output) == (2, "")
    assert "Write TARGET:KIND" in errors


def test_who_answers_for_a_router_in_the_terminal_sees_its_question_and_the_text_that_it_is_about(
    playground, tmp_path, monkeypatch
):
    desk = tmp_path / "agents" / "desk"
    desk.mkdir(parents=True)
    (desk / "root_agent.yaml").write_text(
        "agent_class: agents.RoutedAgent\nname: router\n"
        "router: [{ask: Is it about a ship?, to: ships}, {to: lamps}]\n"
        "sub_agents: [{config_path: ships.yaml}, {config_path: lamps.yaml}]\n"
    )
    for name in ("ships", "lamps"):
        (desk / f"{name}.yaml").write_text(f"name: {name}\ndescription: Knows {name}.\ninstruction: Answer.\n")
    monkeypatch.setattr("ui.cli.running.as_model.can_ask", lambda *, as_json: True)
    typed = iter(['{"answer": "yes"}', ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    told = ("--agents", str(desk.parent), "--agent-model", "router=you")
    code, output, errors = playground("run", "desk", "夜の船 at sea", *told)
    assert (code, errors) == (0, "")
    sent = output.partition("You are the model of router. It is sent this alone:")[2].partition("Type what")[0]
    assert "Is it about a ship?" in sent
    assert "夜の船 at sea" in sent
