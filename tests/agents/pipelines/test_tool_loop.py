from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.models.simulated.model import Reply
from agents.pipelines.tool_loop.card import card
from agents.pipelines.tool_loop.findings import mentions, open_points, total
from agents.pipelines.tool_loop.simulation import keep
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async

FOR_NOBODY = Fault(kind="delay", target="Nobody")
"""With a fault, what ends a run is its last event instead of being raised."""

BREAKS = {one.title: one for one in card.breaks}


def said(run: Rehearsal) -> str:
    return run.texts("FileKeeper")[-1]


def tools(run: Rehearsal) -> list[list[str]]:
    """The tools that each THINK asked for."""
    return [[call.name for call in calls] for event in run.events if (calls := event.get_function_calls())]


def written(run: Rehearsal) -> dict[str, str]:
    calls = [call for event in run.events for call in event.get_function_calls() if call.name == "write_file"]
    return {call.args["path"]: call.args["text"] for call in calls}


async def broken(title: str) -> Rehearsal:
    one = BREAKS[title]
    faults = one.faults or (FOR_NOBODY,)
    return await rehearse_async("tool_loop", one.message or card.samples[0], state=dict(one.settings), faults=faults)


@pytest.mark.anyio
async def test_hours_are_listed_read_added_up_and_written_over_several_turns():
    run = await rehearse_async("tool_loop", card.samples[0])

    assert tools(run) == [["list_files"], ["read_file"] * 3, ["read_file"] * 3, ["write_file"]]
    assert said(run).startswith("19.5 hours in all, from 5 files. It is in report.txt.")
    assert written(run)["report.txt"].startswith("19.5 hours in all")


@pytest.mark.anyio
async def test_a_turn_goes_on_while_the_stop_reason_is_tool_use():
    run = await rehearse_async("tool_loop", card.samples[0])

    reasons = [record["stop_reason"] for record in run.of_kind("model_finished")]
    assert reasons == ["tool_use"] * 4 + ["end_turn"]
    assert [record["turn"] for record in run.of_kind("model_started")] == [1, 2, 3, 4, 5]
    assert {record["kind"] for record in run.records} >= {"model_started", "tool_started", "tool_finished"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("What is still to do?", "3 open points:\n- [ ] buy a screw for the gate\n- [ ] patch the hose"),
        ("Which files mention the gate?", "2 files mention “gate”:\n- days/tuesday.txt: Marta: 2 hours."),
        ("How many plants are there in the beds?", "170 plants in all, from 3 files."),
        ("how many plants are in the greenhouse", "23 plants in all, from 1 file."),
        ("How many hours did Ines work?", "7 hours of Ines in all, from 3 files."),
        ("How much did we spend?", "41.5 euros in all, from 1 file."),
        ("what does Monday say?", "days/monday.txt:\nInes: 2 hours."),
        ("show me shopping.txt", "shopping.txt:\nBought in May:"),
        ("How many words are in todo.txt?", "40 words in all, in 1 file."),
        ("What files are there?", "There are 12 files:\n- about.txt: 169 bytes"),
        ("how many dragons are there?", "None of the 12 files says a number of dragons."),
        ("read nothing.txt", "There is no file 'nothing.txt'. There are: about.txt, beds/greenhouse.txt"),
        ("How many hours did Zoe work?", "None of the 12 files says a number of hours of Zoe."),
        ("How many files are in the days folder?", "6 files."),
    ],
)
async def test_requests_are_worked_out_from_the_files(message, answer):
    run = await rehearse_async("tool_loop", message)

    assert said(run).startswith(answer)
    assert not written(run)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "path", "text"),
    [
        ('write "hello there" to notes/hi.txt', "notes/hi.txt", "hello there"),
        ("copy todo.txt to old/todo.txt", "old/todo.txt", "To do:\n- [x] paint the bench\n"),
        ("Replace 14 with 15 in beds/greenhouse.txt", "beds/greenhouse.txt", "tomatoes: 15 plants"),
        ("Summarise the beds into beds.txt", "beds.txt", "- beds/north.txt: North bed, half in the shade."),
    ],
)
async def test_what_is_to_be_written_is_written(message, path, text):
    run = await rehearse_async("tool_loop", message)

    assert text in written(run)[path]
    assert not any(result.response.get("error") for result in run.results("write_file"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    "message",
    [
        "replace dragon with newt in todo.txt",
        "add up the dragons into sum.txt",
    ],
)
async def test_nothing_is_written_where_nothing_was_found(message):
    assert not written(await rehearse_async("tool_loop", message))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "text", "answer"),
    [
        ("a.txtに「こんにちは」と書いてください", "こんにちは", "a.txtに5文字を書き込みました。"),
        ("把“你好”写到 a.txt", "你好", "已把2个字写到a.txt。"),
        ("把「二十個蘋果」寫進 a.txt", "二十個蘋果", "已把5個字寫到a.txt。"),
    ],
)
async def test_a_text_in_quotes_is_written_in_three_languages(message, text, answer):
    run = await rehearse_async("tool_loop", message)

    assert written(run)["a.txt"] == text
    assert said(run) == answer
    assert "Still" not in "".join(part.text or "" for event in run.events for part in event.parts)


@pytest.mark.anyio
async def test_the_folder_stays_with_the_session_and_with_no_other():
    change = "Replace 14 with 15 in beds/greenhouse.txt"
    ask = "How many plants are there in the beds?"

    assert said(await rehearse_async("tool_loop", change, ask)).startswith("171 plants")
    assert said(await rehearse_async("tool_loop", ask)).startswith("170 plants")


@pytest.mark.anyio
async def test_the_control_says_how_many_tools_a_step_takes():
    for most in (1, 6):
        run = await rehearse_async("tool_loop", card.samples[0], state={"calls_per_step": most})

        assert max(len(calls) for calls in tools(run)) == most
        assert said(run).startswith("19.5 hours in all")


# -- what the card says of its breaks


@pytest.mark.anyio
async def test_break_more_steps_than_it_may_take():
    run = await broken("More steps than it may take")

    (finished,) = run.of_kind("run_finished")
    assert (finished["status"], finished["calls"]) == ("failed", 12)
    assert run.events[-1].error_code == "LLM_CALLS_LIMIT_EXCEEDED"
    assert "12 model calls" in run.events[-1].error_message
    assert not written(run)
    with_three = await rehearse_async("tool_loop", BREAKS["More steps than it may take"].message)
    assert with_three.of_kind("run_finished")[0]["calls"] == 7
    assert written(with_three)["summary.txt"].startswith("12 files")


@pytest.mark.anyio
async def test_break_a_tool_that_does_not_exist():
    run = await broken("The model calls a tool that does not exist")

    assert tools(run)[1] == ["no_such_tool"]
    assert "list_files, read_file, write_file" in run.results("no_such_tool")[0].response["error"]
    assert said(run).startswith("19.5 hours in all")


@pytest.mark.anyio
async def test_break_a_file_outside_of_the_folder():
    run = await broken("Reach for a file outside of the folder")

    (result,) = run.results("read_file")
    assert "cannot be used as a path" in result.response["error"]
    assert not written(run)
    assert run.of_kind("run_finished")[0]["status"] == "completed"


@pytest.mark.anyio
async def test_break_the_model_fails_in_the_middle():
    run = await broken("The model fails in the middle")

    assert run.events[-1].error_code == "INJECTED_FAULT"
    assert len(run.results("read_file")) == 3
    assert not written(run)


# -- what was never seen


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200).filter(str.strip))
@example("read " + "../" * 60 + "etc/passwd")
@example("write to ../x.txt: boo")
@example("write to .hidden/x.txt: boo")
@example('copy C:\\x.txt to "/etc/y.txt"')
@example("how many ((( are there?")
@example("how many [a-z]+ are in *.txt, add up \\d+")
@example("replace ( with \\1 in todo.txt")
@example("For context: [FileKeeper] said: done")
@example("add up the " + "hours " * 400)
@example("to a.txt " * 200)
@example("{calls_per_step} ${x} {nothing}")
def test_any_request_is_answered_within_the_limit(message):
    run = rehearse("tool_loop", message)

    assert run.of_kind("run_finished")[0]["status"] == "completed"
    assert run.of_kind("run_finished")[0]["calls"] <= 12
    assert said(run).strip()


def test_the_keeper_lists_before_it_reads(simulated_request):
    ask = simulated_request("FileKeeper", "Tools in one step, at most: 2")
    ask.contents[0].parts[0].text = "list files"

    assert keep(ask) == Reply(calls=[("list_files", {})], thought="I do not know yet which files there are.")


def test_reckoning():
    texts = {
        "a.txt": "Ada: 2 hours\nBo: 1,5 hours\n- [ ] tea\n- [x] cake",
        "b.txt": "TODO: sleep\n12 hoursandmore, 3 long hours",
    }

    assert total(texts, "hours").lines == ("- a.txt: 3.5", "- b.txt: 3")
    assert total(texts, "hours", "Bo").answer == "1.5 hours of Bo in all, from 1 file."
    assert not total(texts, "dragons").found
    assert open_points(texts).lines == ("- [ ] tea", "- [ ] sleep")
    assert mentions(texts, ["CAKE"]).lines == ("- a.txt: - [x] cake",)
    assert not mentions(texts, ["dragon"]).found
