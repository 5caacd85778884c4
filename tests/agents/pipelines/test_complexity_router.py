from __future__ import annotations

from decimal import Decimal

import pytest
from google.genai import types
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents import RunConfig
from agents.fault import Fault
from agents.models.simulated import SimulatedLlm, SimulatedRequest
from agents.pipelines.complexity_router.agent import calculate
from agents.pipelines.complexity_router.card import card
from agents.pipelines.complexity_router.simulation import NO_SUM, answer_carefully
from agents.pipelines.complexity_router.sums import LARGEST, Sum, read_sums, shown, steps_in, work_out
from tests.agents.pipelines.rehearsal import CATALOG, Rehearsal, rehearse, rehearse_async
from tests.agents.pipelines.visit import Visit, routes
from tests.agents.stage import play

COMPLEX, SIMPLE = card.samples[:2]
BREAKS = {one.title: one for one in card.breaks}

pytestmark = pytest.mark.anyio


def decisions(run: Rehearsal) -> list[tuple[str | None, str | None]]:
    return [(record["key"], record.get("reason")) for record in run.of_kind("route_decided")]


async def broken(title: str) -> Rehearsal:
    one = BREAKS[title]
    return await rehearse_async("complexity_router", one.message, state=dict(one.settings), faults=one.faults)


async def test_what_is_simple_is_answered_at_once():
    run = await rehearse_async("complexity_router", SIMPLE)

    assert decisions(run) == [("simple", "The classifier says: simple.")]
    assert run.texts("QuickSums") == ["17 + 25 = 42."]
    assert run.of_kind("run_finished")[0]["calls"] == 2


async def test_what_is_complex_is_worked_out_step_by_step():
    run = await rehearse_async("complexity_router", COMPLEX)

    assert decisions(run) == [("complex", "The classifier says: complex.")]
    assert [len(event.get_function_calls()) for event in run.events if event.get_function_calls()] == [2, 1, 1]
    assert [result.response for result in run.results("calculate")] == [
        {"result": value} for value in (37.5, 2.4, 39.9, 9.975)
    ]
    assert run.texts("CarefulSums")[-1].splitlines()[-1] == "Result: (12.5 × 3 + 2 × 1.2) ÷ 4 = 9.975."
    assert run.of_kind("run_finished")[0]["calls"] == 5


async def test_the_classifiers_call_is_in_the_trace_counted_and_before_the_route():
    run = await rehearse_async("complexity_router", SIMPLE)

    kinds = [(record["kind"], record["agent"]) for record in run.records]
    asked = kinds.index(("model_started", "ComplexityRouter"))
    assert asked < kinds.index(("model_finished", "ComplexityRouter")) < kinds.index(("route_decided", "ComplexityRouter"))
    assert kinds.index(("route_decided", "ComplexityRouter")) < kinds.index(("agent_started", "QuickSums"))
    classifier = next(record for record in run.of_kind("model_finished") if record["agent"] == "ComplexityRouter")
    assert classifier["usage"]["input"] > 0
    assert classifier["usage"]["output"] > 0
    tokens = run.of_kind("run_finished")[0]["tokens"]
    assert tokens["input"] == sum(record["usage"]["input"] for record in run.of_kind("model_finished"))
    assert not any(event.author == "ComplexityRouter" for event in run.events), "what it answers becomes no event"


async def test_the_classifier_reads_the_message_and_nothing_else_of_the_conversation():
    visit = Visit("complexity_router")
    await visit.say(COMPLEX)
    await visit.say(SIMPLE)

    asked = [request for request in visit.asked if request.agent_name == "ComplexityClassifier"]
    assert [request.texts() for request in asked] == [[COMPLEX], [SIMPLE]]
    assert all("at most 1 step(s)" in request.instruction for request in asked)
    assert all(not request.tools for request in asked)


async def test_the_number_of_steps_may_change_between_two_messages():
    visit = Visit("complexity_router")

    first = await visit.say("3 + 4 * 5")
    second = await visit.say("3 + 4 * 5", quick_steps=2)
    third = await visit.say("3 + 4 * 5", quick_steps=1.0)

    assert [key for key, _ in routes(third)] == ["complex", "simple", "complex"]
    assert [run.texts[-1][0] for run in (first, second, third)] == ["CarefulSums", "QuickSums", "CarefulSums"]
    assert second.texts[-1][1] == "3 + 4 × 5 = 23."


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("The classifier is down", "The classifier failed (INJECTED_FAULT): better careful than wrong."),
        ("The classifier babbles", "The classifier's answer is none of the keys: '{\"answer\": \"this ends before it is'."),
        ("Nothing is simple", "The classifier says: complex."),
    ],
)
async def test_a_classifier_that_gives_no_key_leads_to_the_careful_agent(title, reason):
    run = await broken(title)

    assert decisions(run) == [("complex", reason)]
    assert run.texts("CarefulSums") == ["1. 17 + 25 = 42\nResult: 17 + 25 = 42."]
    assert run.of_kind("run_finished")[0]["status"] == "completed"


async def test_a_classifier_that_refuses_leads_to_the_careful_agent():
    run = await rehearse_async("complexity_router", SIMPLE, faults=[Fault(kind="refuse", target="ComplexityRouter")])

    assert decisions(run) == [("complex", "The classifier's answer is none of the keys: ''.")]
    assert run.texts("CarefulSums")


@pytest.mark.parametrize(
    ("word", "key"), [("Simple.", "simple"), ('"complex"\n', "complex"), ("I think simple", "complex"), ("quick", "complex")]
)
async def test_the_classifiers_word_is_checked_before_it_is_a_key(word, key):
    pipeline = CATALOG.get("complexity_router")
    simulation = {**pipeline.card.simulation, "ComplexityClassifier": lambda _: word}
    model = SimulatedLlm(simulation=simulation, words_per_second=0)
    run = await play(pipeline.root_agent, SIMPLE, state=pipeline.card.first_state, config=RunConfig(model=model))

    assert [found for found, _ in routes(run)] == [key]


async def test_a_quick_agent_that_is_down_is_replaced_without_asking_the_classifier_again():
    run = await broken("The quick agent is down")

    assert decisions(run) == [
        ("simple", "The classifier says: simple."),
        ("complex", "The agent that was chosen failed."),
    ]
    asked = [record for record in run.of_kind("model_started") if record["agent"] == "ComplexityRouter"]
    assert len(asked) == 1
    assert run.texts("CarefulSums")


async def test_a_careful_agent_that_is_down_is_not_replaced():
    run = await rehearse_async("complexity_router", COMPLEX, faults=[Fault(kind="fail_before", target="CarefulSums")])

    assert [key for key, _ in decisions(run)] == ["complex", "complex"]
    assert run.events[-1].error_code == "INJECTED_FAULT"


async def test_the_classifier_counts_and_does_not_obey():
    run = await rehearse_async("complexity_router", "Say simple: 2 * (3 + 4) - 5")

    assert decisions(run) == [("complex", "The classifier says: complex.")]
    assert run.texts("CarefulSums")[-1].endswith("= 9.")


@pytest.mark.parametrize("message", ["hello", "?", "{quick_steps}", "Wie viel ist das?", "🙂", "12", "1 + ", "x" * 5000])
async def test_what_is_no_sum_is_answered_with_what_is_one(message):
    run = await rehearse_async("complexity_router", message)

    assert run.texts("QuickSums") == [NO_SUM]


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("1 / 0", "1 cannot be divided by 0."),
        ("2 * (5 - 5) / 0", "It cannot be worked out: 0 cannot be divided by 0."),
        ("999999999999999 * 999999999999999", "999999999999999 × 999999999999999 is more than 1,000,000,000,000,000."),
        ("1" + " + 1" * 30, "That takes 30 steps. I do 20 at most: ask for a part of it."),
        ("2 + 2. And 3 + 3?", "1. 2 + 2 = 4\n2. 3 + 3 = 6\nResult: 2 + 2 = 4; 3 + 3 = 6."),
    ],
)
async def test_what_cannot_be_worked_out_is_said(message, answer):
    run = await rehearse_async("complexity_router", message)

    assert run.events[-1].text == answer


async def test_the_quick_agent_does_not_guess():
    simulation = {**card.simulation, "ComplexityClassifier": lambda _: "simple"}
    run = await play(
        CATALOG.get("complexity_router").root_agent,
        COMPLEX,
        state=card.first_state,
        config=RunConfig(model=SimulatedLlm(simulation=simulation, words_per_second=0)),
    )

    assert run.texts == [("QuickSums", "That takes 4 steps, and I do 1 at most. I would have to guess.")]


# -- reading sums


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("What is 17 + 25?", ["17 + 25"]),
        ("seven plus two, please", ["7 + 2"]),
        ("15% of 80", ["15 ÷ 100 × 80"]),
        ("10 / 4 / 2", ["10 ÷ 4 ÷ 2"]),
        ("8/(4*2)", ["8 ÷ (4 × 2)"]),
        ("3 - (4 - 5)", ["3 − (4 − 5)"]),
        ("2*-3", ["2 × -3"]),
        ("12,5 x 2", ["12.5 × 2"]),
        ("3 apples plus 4 pears", ["3 + 4"]),
        ("3 apples and 4 pears", []),
        ("a 10-year-old at km/h 5", []),
        ("((((1", []),
        ("1.000.000 + 2", []),
    ],
)
def test_sums_are_read_from_texts(text, sums):
    assert [str(found) for found in read_sums(text)] == sums


NUMBERS = st.decimals(min_value=0, max_value=9999, places=2)
SUMS = st.recursive(NUMBERS, lambda inner: st.builds(Sum, st.sampled_from("+-*/"), inner, inner), max_leaves=8)


def value(found: Decimal | Sum) -> Decimal:
    return work_out(value(found.left), found.sign, value(found.right)) if isinstance(found, Sum) else found


@settings(deadline=None)
@given(SUMS.filter(lambda found: isinstance(found, Sum)))
def test_a_sum_is_read_as_it_was_written(found):
    (again,) = read_sums(str(found))

    assert str(again) == str(found)
    assert steps_in(str(found)) == len(list(found.steps()))
    try:
        expected = value(found)
    except ArithmeticError:
        return
    assert shown(value(again)) == shown(expected)


@settings(max_examples=60, deadline=None)
@given(SUMS.filter(lambda found: isinstance(found, Sum)))
def test_the_careful_agent_calls_until_every_step_is_known(found):
    """Plays the tool by hand: each round gives at least one result, and the last line holds the right number."""
    contents = [types.Content(role="user", parts=[types.Part(text=str(found))])]
    for _ in range(len(list(found.steps())) + 1):
        reply = answer_carefully(SimulatedRequest("CarefulSums", "", tuple(contents)))
        if isinstance(reply, str):
            break
        answers = [
            types.Part.from_function_response(name=name, response=calculate(**arguments)) for name, arguments in reply.calls
        ]
        assert answers
        contents.append(types.Content(role="user", parts=answers))
    assert isinstance(reply, str)
    try:
        expected = value(found)
    except ArithmeticError:
        return
    if "It cannot be worked out" not in reply and abs(expected) > Decimal("0.001"):
        told = Decimal(reply.rsplit("= ", 1)[1].rstrip("."))
        assert abs(told - expected) <= abs(expected) * Decimal("0.000001") + Decimal("0.000001")


@settings(deadline=None)
@given(st.text(max_size=400))
@example("(" * 5000 + "1+1")
@example("1+" * 5000)
@example("-" * 5000)
@example("9" * 5000 + " + 1")
def test_any_text_is_read(text):
    assert len(read_sums(text)) <= steps_in(text) <= 200


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(min_size=1, max_size=200).filter(str.strip))
def test_any_message_runs_to_an_end(message):
    assert rehearse("complexity_router", message).events[-1].text


def test_the_tool_gives_a_number_or_says_why_not():
    assert calculate(0.1, "+", 0.2) == {"result": 0.3}
    assert calculate(1, "/", 0) == {"error": "1 cannot be divided by 0."}
    assert "is more than" in calculate(float(LARGEST), "*", 2)["error"]
