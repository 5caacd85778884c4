from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.models.simulated.model import Reply
from agents.pipelines.routed_fallback.agent import Line, place_order
from agents.pipelines.routed_fallback.card import card
from agents.pipelines.routed_fallback.menu import PRICES, total
from agents.pipelines.routed_fallback.simulation import serve
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async
from tests.agents.pipelines.visit import Visit, routes

ORDER = card.samples[0]
BREAKS = {one.title: one for one in card.breaks}

pytestmark = pytest.mark.anyio


async def broken(title: str, **state) -> Rehearsal:
    return await rehearse_async("routed_fallback", ORDER, faults=BREAKS[title].faults, state=state)


def decisions(run: Rehearsal) -> list[tuple[str | None, list[str]]]:
    return [(record["key"], record["failed"]) for record in run.of_kind("route_decided")]


def speakers(run: Rehearsal) -> set[str]:
    return {event.author for event in run.events if event.text}


async def test_without_a_fault_the_clerk_answers_in_detail_and_the_stand_in_is_not_there():
    run = await rehearse_async("routed_fallback", ORDER)

    assert decisions(run) == [("primary", [])]
    assert {record["agent"] for record in run.of_kind("agent_started")} == {"OrderCounter", "Clerk"}
    assert run.state["orders"] == [{"croissant": 2, "coffee": 1}]
    assert run.texts("Clerk")[-1].splitlines()[:4] == [
        "Order 1 is placed:",
        "- 2 × croissant: 3.80",
        "- 1 × coffee: 2.50",
        "Total: 6.30",
    ]


async def test_a_failure_before_the_first_event_brings_the_stand_in_with_one_line():
    run = await broken("The primary fails before its first word")

    first, second = run.of_kind("route_decided")
    assert decisions(run) == [("primary", []), ("fallback", ["primary"])]
    assert first["reason"] == "The primary always comes first."
    assert second["reason"] == "Nothing was said or done yet, so the next one may begin."
    assert second["error"].startswith("InjectedFaultError: ")
    assert speakers(run) == {"StandIn"}
    assert run.texts("StandIn")[-1] == "Order 1: 2 × croissant, 1 × coffee, 6.30 in all."
    assert run.state["orders"] == [{"croissant": 2, "coffee": 1}]
    assert run.of_kind("run_finished")[0]["status"] == "completed"


async def test_a_failure_after_the_order_is_shown_and_nothing_is_ordered_twice():
    run = await broken("The primary fails after placing the order")

    assert decisions(run) == [("primary", [])]
    assert run.state["orders"] == [{"croissant": 2, "coffee": 1}]
    assert (run.events[-1].author, run.events[-1].error_code) == ("Clerk", "INJECTED_FAULT")
    assert speakers(run) == {"Clerk"}
    assert run.of_kind("run_finished")[0]["status"] == "failed"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_failure_after_the_first_word_is_shown_and_not_retried(stream):
    visit = Visit("routed_fallback", stream=stream)

    run = await visit.say(ORDER, faults=BREAKS["The primary fails in the middle of a word"].faults)

    assert [event.text for event in run.events if event.partial] == ["One"]
    assert run.events[-1].error_code == "INJECTED_FAULT"
    assert [key for key, _ in routes(run)] == ["primary"]
    assert "orders" not in run.state


async def test_where_both_fail_the_last_error_is_shown_as_it_was():
    run = await broken("Both fail")

    assert decisions(run) == [("primary", []), ("fallback", ["primary"]), (None, ["primary", "fallback"])]
    assert run.of_kind("route_decided")[-1]["reason"] == "All have failed."
    assert (run.events[-1].author, run.events[-1].error_code) == ("StandIn", "INJECTED_FAULT")
    assert "'StandIn'" in (run.events[-1].error_message or "")
    assert len(run.events) == 1


async def test_a_refusal_is_an_answer():
    run = await broken("The primary refuses")

    assert decisions(run) == [("primary", [])]
    assert [(event.author, event.error_code) for event in run.events] == [("Clerk", "SAFETY")]


async def test_the_fallback_can_be_switched_off_between_two_messages():
    visit = Visit("routed_fallback")
    down = [Fault(kind="fail_before", target="Clerk")]

    with_it = await visit.say(ORDER, faults=down)
    without = await visit.say(ORDER, faults=down, use_fallback=False)
    again = await visit.say(ORDER, faults=down, use_fallback=True)

    assert [with_it.error, again.error] == [None, None]
    assert "INJECTED_FAULT" in {event.error_code for event in without.events}
    assert routes(without)[-1] == (None, "The fallback is switched off.")
    assert len(again.state["orders"]) == 2


async def test_running_again_after_the_order_was_placed_places_it_twice():
    visit = Visit("routed_fallback")
    await visit.say(ORDER, faults=[Fault(kind="fail_before", target="Clerk", call=2)])

    run = await visit.say(ORDER)

    assert run.state["orders"] == [{"croissant": 2, "coffee": 1}] * 2, "as the lesson says"


async def test_a_message_without_an_order_gets_the_price_list():
    run = await rehearse_async("routed_fallback", "What do you have?")

    (said,) = run.texts("Clerk")
    assert all(f"- {item}: {price}" in said for item, price in PRICES.items())
    assert "Style" not in said
    assert "orders" not in run.state


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(list(PRICES)), st.integers(1, 99), min_size=1, max_size=7))
def test_an_order_in_plain_words_is_placed_as_it_is_meant(ordered):
    run = rehearse("routed_fallback", ", ".join(f"{count} {item}" for item, count in ordered.items()))

    assert run.state["orders"] == [{item: ordered[item] for item in PRICES if item in ordered}]
    assert Decimal(total(ordered)) == sum(PRICES[item] * count for item, count in ordered.items())


def test_the_tool_takes_nothing_that_is_not_on_the_list():
    context = SimpleNamespace(state={})

    refused = place_order([Line(item="gold", count=1), Line(item="tea", count=1)], context)
    taken = place_order([Line(item="tea", count=1), Line(item="roll", count=2), Line(item="tea", count=2)], context)

    assert refused["error"].startswith("Not on the price list: gold. There are: loaf of rye, roll")
    assert taken == {"order": 1, "lines": {"roll": 2, "tea": 3}, "total": "7.80"}
    assert context.state == {"orders": [{"roll": 2, "tea": 3}]}


async def test_a_refused_order_is_told(simulated_request):
    said = serve(simulated_request("Clerk", "", results=[("place_order", {"error": "Not on the price list: gold."})]))

    assert said == "The order could not be placed: Not on the price list: gold."


async def test_an_order_is_placed_with_words_before_the_call(simulated_request):
    request = simulated_request("Clerk", "")
    request.contents[0].parts[0].text = "tea"

    assert serve(request) == Reply("One moment, please.", calls=[("place_order", {"lines": [{"item": "tea", "count": 1}]})])


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("How much is a pretzel?", "Nothing is ordered yet. The price of one:\n- pretzel: 1.10"),
        ("コーヒーはおいくらですか", "まだ何も注文されていません。1個の値段です：\n- コーヒー: 2.50"),
        ("一杯咖啡多少钱", "还没有下单，单价如下：\n- 咖啡: 2.50"),
        ("請問可頌多少錢", "還沒有下單，單價如下：\n- 可頌: 1.90"),
    ],
)
async def test_a_question_about_a_price_is_no_order(message, answer):
    run = await rehearse_async("routed_fallback", message)

    assert run.events[-1].text == answer
    assert not run.results("place_order")
