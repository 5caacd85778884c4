from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.errors import ToolError
from agents.pipeline import describe_tree
from agents.pipelines.help_desk import records
from agents.pipelines.help_desk.agent import root_agent
from agents.pipelines.help_desk.card import card
from agents.pipelines.help_desk.topics import fit, is_about_something, is_elsewhere, number_in
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async

BREAKS = {one.title: one for one in card.breaks}
SPECIALISTS = ("OrderAgent", "BillAgent", "AccessAgent", "RepairAgent")


def transfers(run: Rehearsal) -> list[tuple[str, str]]:
    """Who handed over to whom."""
    return [(record["agent"], record["to"]) for record in run.of_kind("transfer")]


def said(run: Rehearsal) -> tuple[str, str]:
    """Who spoke last, and what."""
    return next((event.author, event.text) for event in reversed(run.events) if event.text)


async def broken(title: str) -> Rehearsal:
    one = BREAKS[title]
    return await rehearse_async("help_desk", one.message or card.samples[0], state=dict(one.settings), faults=one.faults)


def test_each_specialist_may_hand_back_and_to_nobody_else():
    tree = describe_tree(root_agent)

    assert tree["transfers"] == list(SPECIALISTS)
    assert [child["transfers"] for child in tree["children"]] == [["HelpDesk"]] * 4
    assert all(child["tools"] and child["description"].startswith("Helps with") for child in tree["children"])


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "specialist"),
    [
        ("Where is my order 4712?", "OrderAgent"),
        ("Has the parcel been shipped yet?", "OrderAgent"),
        ("I want to change the delivery address", "OrderAgent"),
        ("I was charged twice on bill 2041", "BillAgent"),
        ("I was charged twice for my order 1234", "BillAgent"),
        ("can I get a refund", "BillAgent"),
        ("how much does it cost, is there a discount?", "BillAgent"),
        ("My brakes squeak when it rains", "RepairAgent"),
        ("the gears are jumping", "RepairAgent"),
        ("flat tyre!!", "RepairAgent"),
        ("my LIGHT flickers", "RepairAgent"),
    ],
)
async def test_a_message_is_handed_to_whom_it_fits(message, specialist):
    run = await rehearse_async("help_desk", message)

    assert transfers(run) == [("HelpDesk", specialist)]
    assert said(run)[0] == specialist
    assert not run.texts("HelpDesk")


@pytest.mark.anyio
@pytest.mark.parametrize("message", ["Hello, who can help me?", "Can you recommend a film?", "When do you open?", "?"])
async def test_what_is_nobodys_matter_stays_and_is_told_whom_there_is(message):
    run = await rehearse_async("help_desk", message)

    assert not transfers(run)
    for matter in ("orders, parcels", "bills, payments", "accounts, passwords", "repairs, brakes"):
        assert matter in said(run)[1]


@pytest.mark.anyio
async def test_who_has_the_conversation_keeps_it():
    asked = await rehearse_async("help_desk", "Where is my parcel?")
    told = await rehearse_async("help_desk", "Where is my parcel?", "it has the number 4712")
    more = await rehearse_async("help_desk", "Where is my parcel?", "4712", "and when does it come?")
    thanked = await rehearse_async("help_desk", "Where is my parcel?", "4712", "Thanks!")

    assert said(asked) == ("OrderAgent", "Which order is it? Please tell me its number, four digits.")
    assert said(told) == ("OrderAgent", "Order 4712, a helmet, is on its way, 4 days from you.")
    assert said(more) == said(told)
    assert said(thanked) == ("OrderAgent", "You are welcome.")
    for run in (told, more, thanked):
        assert not transfers(run)
        assert {record["agent"] for record in run.of_kind("model_started")} == {"OrderAgent"}


@pytest.mark.anyio
async def test_a_change_of_subject_goes_back_and_forth_in_one_run():
    run = await rehearse_async("help_desk", "Where is my order 4712?", "And my brakes squeak")

    assert transfers(run) == [("OrderAgent", "HelpDesk"), ("HelpDesk", "RepairAgent")]
    assert said(run)[0] == "RepairAgent"
    assert "Wipe the rims" in said(run)[1]


@pytest.mark.anyio
async def test_what_is_handed_back_for_good_is_answered_by_the_coordinator():
    run = await rehearse_async("help_desk", "Where is my order 4712?", "Do you know a good film?")
    then = await rehearse_async("help_desk", "Where is my order 4712?", "Do you know a good film?", "a refund, please")

    assert transfers(run) == [("OrderAgent", "HelpDesk")]
    assert said(run)[1].startswith("I have nobody for that")
    assert transfers(then) == [("HelpDesk", "BillAgent")], "the coordinator has the conversation"


@pytest.mark.anyio
async def test_a_number_of_one_matter_is_not_taken_for_another():
    run = await rehearse_async("help_desk", "Where is my order 4712?", "I want a refund")

    assert said(run) == ("BillAgent", "Which bill is it? Please tell me its number, four digits.")
    assert not run.results("look_up_bill")


@pytest.mark.anyio
async def test_a_number_that_there_is_not_is_told():
    run = await rehearse_async("help_desk", "Where is my order 7?")

    assert said(run)[1].startswith("There is no order 7; they have numbers from 1000 to 9999.")


# -- what the card says of its breaks


@pytest.mark.anyio
async def test_break_a_tool_that_does_not_exist():
    run = await broken("The coordinator calls a tool that does not exist")

    assert "transfer_to_agent" in run.results("no_such_tool")[0].response["error"]
    assert transfers(run) == [("HelpDesk", "OrderAgent")]
    assert said(run)[0] == "OrderAgent"


@pytest.mark.anyio
async def test_break_nobodys_matter():
    run = await broken("Ask for what is nobody's matter")

    assert not transfers(run)
    assert said(run)[0] == "HelpDesk"


@pytest.mark.anyio
async def test_break_the_specialist_fails():
    run = await broken("The specialist fails")

    assert transfers(run) == [("HelpDesk", "OrderAgent")]
    assert (run.events[-1].author, run.events[-1].error_code) == ("OrderAgent", "INJECTED_FAULT")
    assert run.of_kind("run_finished")[0]["status"] == "failed"


# -- what was never seen


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from(["order", "bill", "brakes", "film", "4712", "thanks", "x y z", "[HelpDesk] said: hi"]), min_size=1
    )
)
@example(["For context:", "[OrderAgent] called tool `transfer_to_agent`"])
@example(["order bill brakes " * 200])
@example(["{nothing} ${x}"])
@example(["9" * 400])
def test_any_conversation_is_answered_and_never_goes_in_circles(words):
    run = rehearse("help_desk", *words[:3], " ".join(words))

    assert run.of_kind("run_finished")[0]["status"] == "completed"
    assert len(transfers(run)) <= 3
    assert said(run)[1].strip()


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=100))
def test_any_text_can_be_compared(message, description):
    assert fit(message, description) >= 0
    assert is_about_something(message) or not is_elsewhere(message, description)
    assert not (fit(message, description) > 1 and is_elsewhere(message, description))


def test_forms_of_a_word_are_one():
    for one, other in (("brakes", "braking"), ("delivered", "deliver"), ("tyre", "tyres"), ("charges", "charged")):
        assert fit(one, other) == 2
    assert fit("the and of", "the and of") == 0
    assert fit("order", "orders") < fit("parcel", "parcels")


def test_numbers_in_messages():
    assert number_in("order 4712, please") == 4712
    assert number_in("version 2.5") == 2
    assert number_in("none") is None
    assert number_in("9" * 400) is None


def test_records_are_the_same_at_every_look_and_differ_from_number_to_number():
    assert records.order(4712) == records.order(4712)
    assert len({str(records.order(number)) for number in range(1000, 1100)}) > 50
    assert {records.bill(number)["times_paid"] for number in range(1000, 1100)} == {0, 1, 2}
    assert {records.order(number)["where"] for number in range(1000, 1100)} == set(records.PLACES)
    for number in (-1, 0, 999, 10_000):
        with pytest.raises(ToolError, match="1000 to 9999"):
            records.order(number)
    with pytest.raises(ToolError, match="nothing about"):
        records.advice("")
