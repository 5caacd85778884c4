from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents import RoutedLlm
from agents.errors import ProviderError
from agents.models.scripted import ScriptedLlm
from agents.pipelines.routed_llm.agent import CAREFUL, QUICK, by_need, roll_dice, root_agent
from agents.pipelines.routed_llm.card import card
from agents.pipelines.routed_llm.dice import chance_of_at_least
from agents.pipelines.routed_llm.simulation import FORMS, be_careful, be_quick
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async
from tests.agents.pipelines.visit import Visit

BREAKS = {one.title: one for one in card.breaks}
DECIDE, EXPLAIN = "There is nothing to explain yet.", "There is a result to explain."

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """The models of this pipeline are its own: what a test gives the run does not set their speed."""
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")


async def broken(title: str) -> Rehearsal:
    return await rehearse_async("routed_llm", "Roll 3d6", faults=BREAKS[title].faults)


def decisions(run: Rehearsal) -> list[tuple[int, str | None, list[str]]]:
    return [(record["call"], record["key"], record["failed"]) for record in run.of_kind("route_decided")]


def answered_by(run: Rehearsal) -> list[str | None]:
    return [event.model_version for event in run.events if event.model_version]


async def test_each_call_is_routed_by_what_it_needs():
    run = await rehearse_async("routed_llm", "Roll 3d6")

    assert decisions(run) == [(1, QUICK, []), (2, CAREFUL, [])]
    assert [record["reason"] for record in run.of_kind("route_decided")] == [DECIDE, EXPLAIN]
    assert {record["level"] for record in run.of_kind("route_decided")} == {"model"}
    assert answered_by(run) == [QUICK, "simulated"]
    (rolled,) = run.results("roll_dice")
    came_up = rolled.response["came_up"]
    assert run.texts("DiceTable")[-1].startswith(f"{' + '.join(map(str, came_up))} = {sum(came_up)}. That is ")
    assert run.of_kind("run_finished")[0]["calls"] == 2


async def test_a_careful_model_that_is_down_is_stood_in_for_and_nothing_is_rolled_again():
    whole, run = await rehearse_async("routed_llm", "Roll 3d6"), await broken("The careful model is down")

    assert decisions(run) == [(1, QUICK, []), (2, CAREFUL, []), (2, QUICK, [CAREFUL])]
    assert run.of_kind("route_decided")[-1]["reason"] == f"{EXPLAIN} The other model stands in."
    assert run.of_kind("route_decided")[-1]["error"].startswith("InjectedFaultError: ")
    assert [result.response for result in run.results("roll_dice")] == [
        result.response for result in whole.results("roll_dice")
    ]
    assert run.state["rolls"] == 1
    assert whole.texts("DiceTable")[-1].startswith(run.texts("DiceTable")[-1]), "the same dice, a shorter report"
    assert len(run.texts("DiceTable")[-1]) < len(whole.texts("DiceTable")[-1])


async def test_a_quick_model_that_is_down_leaves_all_to_the_careful_one():
    run = await broken("The quick model is down")

    assert decisions(run) == [(1, QUICK, []), (1, CAREFUL, [QUICK]), (2, CAREFUL, [])]
    assert answered_by(run) == ["simulated", "simulated"]
    thoughts = [part.text for event in run.events for part in event.parts if part.thought]
    assert thoughts[0].startswith("The message asks for 3 dice of 6 sides.")
    assert run.of_kind("run_finished")[0]["status"] == "completed"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_failure_after_the_first_word_is_shown_and_not_retried(stream):
    visit = Visit("routed_llm", stream=stream)

    run = await visit.say("Roll 3d6", faults=BREAKS["The careful model fails after its first word"].faults)

    assert [record["key"] for record in run.records("route_decided")] == [QUICK, CAREFUL]
    assert any(event.partial for event in run.events)
    assert run.events[-1].error_code == "INJECTED_FAULT"
    assert run.state["rolls"] == 1


async def test_where_both_are_down_the_last_error_is_shown_and_nothing_is_rolled():
    run = await broken("Both are down")

    assert decisions(run) == [(1, QUICK, []), (1, CAREFUL, [QUICK]), (1, None, [QUICK, CAREFUL])]
    assert run.of_kind("route_decided")[-1]["reason"] == "Both have failed."
    assert run.events[-1].error_code == "INJECTED_FAULT"
    assert CAREFUL in (run.events[-1].error_message or "")
    assert run.results("roll_dice") == []


async def test_a_fault_of_the_agent_strikes_whichever_model_is_asked():
    run = await rehearse_async("routed_llm", "Roll 3d6", faults=[Fault(kind="fail_before", target="DiceTable", call=2)])

    assert len(run.results("roll_dice")) == 1
    assert len(run.of_kind("fault_injected")) == 1


async def test_the_next_roll_of_a_session_is_another_and_a_new_session_begins_again():
    visit = Visit("routed_llm")
    first, second = await visit.say("5d20"), await visit.say("5d20")
    again = await Visit("routed_llm").say("5d20")

    assert first.texts != second.texts
    assert first.texts == again.texts
    assert second.state["rolls"] == 2


def test_there_are_two_models():
    assert isinstance(root_agent.model, RoutedLlm)
    assert list(root_agent.model.routes) == [QUICK, CAREFUL]
    assert root_agent.model.routes[QUICK].simulated


async def test_a_real_model_that_is_chosen_for_the_run_is_the_careful_one():
    model = ScriptedLlm(script=["Fairly good."], model="real")

    run = await Visit("routed_llm", model=model).say("Roll 3d6")

    assert run.texts == [("DiceTable", "Fairly good.")]
    assert [event.model_version for event in run.events if event.model_version] == [QUICK, "real"]
    assert [record.get("answered_by") for record in run.records("model_finished")] == [QUICK, "real"]
    model.assert_used_up()


async def test_a_real_model_that_fails_is_stood_in_for_by_the_quick_one():
    model = ScriptedLlm(script=[ProviderError("It is down.", code="503")], model="real")

    run = await Visit("routed_llm", model=model).say("Roll 3d6")

    assert [(record["key"], record["failed"]) for record in run.records("route_decided")] == [
        (QUICK, []),
        (CAREFUL, []),
        (QUICK, [CAREFUL]),
    ]
    assert run.records("run_finished")[0]["status"] == "completed"


def test_a_request_without_contents_is_routed_too():
    assert by_need({}, SimpleNamespace(contents=[])).key == QUICK


@pytest.mark.parametrize("message", ["hello", "?", "{seed}", "würfle bitte", "🎲", "I did it", "x" * 3000, "model 3d"])
async def test_what_names_no_dice_is_answered_with_what_can_be_rolled(message):
    run = await rehearse_async("routed_llm", message)

    assert run.texts("DiceTable") == [FORMS.refusal(message).text]
    assert answered_by(run) == [QUICK]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("roll 30 dice", "There are 1 to 20 dice of 2 to 100 sides, not 30 of 6. Ask for fewer, or for smaller ones."),
        ("0d6", "There are 1 to 20 dice of 2 to 100 sides, not 0 of 6. Ask for fewer, or for smaller ones."),
        ("2d1", "There are 1 to 20 dice of 2 to 100 sides, not 2 of 1. Ask for fewer, or for smaller ones."),
        (
            "999999d999999",
            "There are 1 to 20 dice of 2 to 100 sides, not 999999 of 999999. Ask for fewer, or for smaller ones.",
        ),
    ],
)
async def test_a_roll_that_cannot_be_made_is_refused_by_the_tool(message, said):
    assert (await rehearse_async("routed_llm", message)).texts("DiceTable") == [said]


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 20), (2, 6), (3, 4), (4, 3)])
def test_chances_are_those_of_all_rolls_counted(dice, sides):
    totals = Counter(sum(roll) for roll in itertools.product(range(1, sides + 1), repeat=dice))

    for total in range(dice * sides + 2):
        counted = Fraction(sum(count for came, count in totals.items() if came >= total), sides**dice)
        assert chance_of_at_least(total, dice=dice, sides=sides) == counted


@settings(deadline=None)
@given(st.integers(1, 20), st.integers(2, 100), st.integers())
def test_the_tool_rolls_what_it_is_told(dice, sides, seed):
    context = SimpleNamespace(state={"seed": seed})

    rolled = roll_dice(dice, sides, context)

    assert len(rolled["came_up"]) == dice
    assert all(1 <= side <= sides for side in rolled["came_up"])
    assert context.state["rolls"] == 1


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=200).filter(str.strip))
@example("9" * 5000 + "d6")
@example("a " * 3000 + "die")
def test_any_message_runs_to_an_end(message):
    assert rehearse("routed_llm", message).texts("DiceTable")[-1]


async def test_both_models_read_the_result_of_the_tool(simulated_request):
    request = simulated_request("DiceTable", "", results=[("roll_dice", {"sides": 6, "came_up": [6, 6]})])

    assert be_quick(request) == "6 + 6 = 12."
    assert be_careful(request).text == (
        "6 + 6 = 12. That is more than the 7 to be expected of 2 dice of 6 sides. "
        "It comes to 12 or more in 2.8 % of all rolls."
    )


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("roll 2d20+3", "Try “Roll 3d6”"),
        ("3d6 + 2d8", "Try “Roll 3d6”"),
        ("2d6+1を振って", "「3d6を振ってください」"),
        ("擲 2d6+1", "「擲兩顆十面骰子」"),
        ("roll a hundred dice", "not 100 of 6"),
        ("roll twenty dice", "20 dice of 6 sides"),
    ],
)
async def test_nothing_else_is_rolled_than_was_asked_for(message, said):
    run = await rehearse_async("routed_llm", message)

    assert any(said in event.text or said in str(event.content) for event in run.events if event.author != "user")
