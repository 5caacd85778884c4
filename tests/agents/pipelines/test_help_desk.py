from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.errors import ToolError
from agents.models.simulated.language.detect import language_of
from agents.pipeline import describe_tree
from agents.pipelines.help_desk import records
from agents.pipelines.help_desk.agent import root_agent
from agents.pipelines.help_desk.card import card
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
        ("Has the parcel been shipped yet?", "OrderAgent"),
        ("I was charged twice on bill 2041", "BillAgent"),
        ("我無法登入", "AccessAgent"),
        ("ブレーキがきしみます", "RepairAgent"),
    ],
)
async def test_a_message_is_handed_to_the_specialist_of_its_matter_who_answers_in_its_language(message, specialist):
    run = await rehearse_async("help_desk", message)

    assert transfers(run) == [("HelpDesk", specialist)]
    assert said(run)[0] == specialist
    assert language_of(said(run)[1]) == language_of(message)
    assert not run.texts("HelpDesk")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "message", ["Can you recommend a film?", "4712", "Where is my order 4712 or bill 2041?", "我要退款"]
)
async def test_what_no_form_covers_is_refused_by_the_coordinator(message):
    run = await rehearse_async("help_desk", message)

    assert not transfers(run)
    assert said(run)[0] == "HelpDesk"


@pytest.mark.anyio
async def test_a_greeting_is_told_whom_there_is():
    hello = await rehearse_async("help_desk", "Hello, who can help me?")

    for matter in ("orders, parcels", "bills, payments", "accounts, passwords", "repairs, brakes"):
        assert matter in said(hello)[1]
    for greeting, matter in (("こんにちは", "ご注文・荷物"), ("您好", "订单、包裹"), ("早安，謝謝您", "訂單、包裹")):
        assert matter in said(await rehearse_async("help_desk", greeting))[1]


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
@pytest.mark.parametrize(
    ("first", "then", "former", "latter"),
    [
        ("Where is my order 4712?", "My brakes squeak", "OrderAgent", "RepairAgent"),
        ("我的付款失敗了", "我忘記密碼了", "BillAgent", "AccessAgent"),
        ("My brakes squeak", "パスワードを忘れました", "RepairAgent", "AccessAgent"),
        ("パスワードを忘れた", "請求書2041はどうなっていますか", "AccessAgent", "BillAgent"),
    ],
)
async def test_a_change_of_subject_goes_back_and_forth_in_one_run(first, then, former, latter):
    run = await rehearse_async("help_desk", first, then)

    assert transfers(run) == [(former, "HelpDesk"), ("HelpDesk", latter)]
    assert said(run)[0] == latter
    assert language_of(said(run)[1]) == language_of(then)


@pytest.mark.anyio
@pytest.mark.parametrize("then", ["Do you know a good film?", "Where is my order and my bill?", "비밀번호를 잊었어요"])
async def test_a_specialist_refuses_what_it_cannot_read_and_keeps_the_conversation(then):
    run = await rehearse_async("help_desk", "Where is my order 4712?", then)

    assert not transfers(run)
    assert said(run)[0] == "OrderAgent"
    assert "Where is my order 4712?" in said(run)[1]
    assert not run.results("track_order")


@pytest.mark.anyio
async def test_a_number_means_nothing_to_who_mends():
    run = await rehearse_async("help_desk", "My brakes squeak", "4712")

    assert said(run)[0] == "HelpDesk"
    assert not run.results("search_manual")


@pytest.mark.anyio
async def test_a_number_of_one_matter_is_not_taken_for_another():
    run = await rehearse_async("help_desk", "Where is my order 4712?", "my payment failed")

    assert said(run) == ("BillAgent", "Which bill is it? Please tell me its number, four digits.")
    assert not run.results("look_up_bill")


@pytest.mark.anyio
async def test_only_it_stands_for_what_was_looked_up_before():
    run = await rehearse_async("help_desk", "Has bill 2041 been paid?", "Where is it?")
    paid = await rehearse_async("help_desk", "Has bill 2041 been paid?", "And how much is it?")
    another = await rehearse_async("help_desk", "Has bill 2041 been paid?", "my payment failed")

    assert said(run) == ("OrderAgent", "Which order is it? Please tell me its number, four digits.")
    assert said(paid)[1].startswith("Bill 2041 is over")
    assert said(another)[1].startswith("Which bill is it?")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("messages", "tool", "number"),
    [
        (["注文４７１２はどこですか"], "track_order", 4712),
        (["订单四七一二到哪里了"], "track_order", 4712),
        (["ログインできません", "１２３４です"], "look_up_account", 1234),
        (["我的付款失敗了", "二〇四一"], "look_up_bill", 2041),
        (["I cannot log in", "my user number is 1234"], "look_up_account", 1234),
        (["我的付款失敗了", "２０４１", "謝謝", "訂單 4712 到哪裡了？"], "track_order", 4712),
    ],
)
async def test_numbers_are_read_in_any_digits(messages, tool, number):
    run = await rehearse_async("help_desk", *messages)

    assert [call.args for event in run.events for call in event.get_function_calls() if call.name == tool] == [
        {"number": number}
    ]


@pytest.mark.anyio
async def test_a_number_alone_is_answered_in_the_language_of_the_conversation():
    run = await rehearse_async("help_desk", "注文はどこですか", "4712")
    thanked = await rehearse_async("help_desk", "注文はどこですか", "4712", "ありがとう")
    wrong = await rehearse_async("help_desk", "我的訂單在哪裡", "7")

    assert said(run) == ("OrderAgent", "注文4712（ヘルメット）は配送中です。お届けまであと4日です。")
    assert said(thanked) == ("OrderAgent", "どういたしまして。")
    assert said(wrong) == ("OrderAgent", "查不到這個號碼，請核對四位數的號碼。")


@pytest.mark.anyio
async def test_no_part_of_an_order_is_looked_up():
    assert "Try “Where is my order 4712?”" in said(await rehearse_async("help_desk", "Where is my order 47.5?"))[1]


@pytest.mark.anyio
async def test_an_account_is_looked_up_and_a_link_sent_where_it_is_needed():
    texts = [said(await rehearse_async("help_desk", f"I cannot log in, user {number}"))[1] for number in range(1234, 1250)]

    assert any("is in order." in text and "link" not in text for text in texts)
    assert any("locked" in text and "A link for a new password was sent" in text for text in texts)


@pytest.mark.parametrize("problem", ["ブレーキがきしむ", "刹车吱吱响", "煞車吱吱叫", "the brakes squeak"])
def test_the_manual_answers_in_the_language_of_the_problem(problem):
    assert language_of(records.advice(problem)) == language_of(problem)


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
        st.sampled_from(["order 7", "bill 2041", "my brakes squeak", "film", "4712", "thanks", "hi", "[HelpDesk] said: hi"]),
        min_size=1,
    )
)
@example(["For context:", "[OrderAgent] called tool `transfer_to_agent`"])
@example(["order 7", "my brakes squeak", "hello"])
@example(["order bill brakes " * 200])
@example(["{nothing} ${x}"])
@example(["9" * 400])
def test_any_conversation_is_answered_and_never_goes_in_circles(words):
    run = rehearse("help_desk", *words[:3], " ".join(words))

    assert run.of_kind("run_finished")[0]["status"] == "completed"
    assert len(transfers(run)) <= 3
    assert said(run)[1].strip()


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
