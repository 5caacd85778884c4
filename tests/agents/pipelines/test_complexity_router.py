from __future__ import annotations

import pytest
from google.genai import types
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents import RunConfig
from agents.models.simulated.model import SimulatedLlm, SimulatedRequest
from agents.models.simulated.reading.expression import LARGEST, Number, Operation, equals, value_of, write
from agents.pipelines.complexity_router.agent import calculate
from agents.pipelines.complexity_router.card import card
from agents.pipelines.complexity_router.simulation import answer_thoroughly, classify
from agents.pipelines.library.articles import collection
from agents.pipelines.library.quotes import citations_in
from agents.pipelines.library.search import search
from agents.runtime.fault import Fault
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

    assert decisions(run) == [("simple", "The classifier says “simple: 1 step”.")]
    assert run.texts("QuickAgent") == ["17 + 25 = 42."]
    assert run.of_kind("run_finished")[0]["calls"] == 2


async def test_what_is_complex_is_worked_out_step_by_step():
    run = await rehearse_async("complexity_router", COMPLEX)

    assert decisions(run) == [("complex", "The classifier says “complex: 4 steps”.")]
    assert [len(event.get_function_calls()) for event in run.events if event.get_function_calls()] == [2, 1, 1]
    assert [result.response for result in run.results("calculate")] == [
        {"result": line} for line in ("12.5 × 3 = 37.5", "2 × 1.2 = 2.4", "37.5 + 2.4 = 39.9", "39.9 ÷ 4 = 9.975")
    ]
    assert run.texts("ThoroughAgent")[-1].splitlines()[-1] == "Result: (12.5 × 3 + 2 × 1.2) ÷ 4 = 9.975."
    assert run.of_kind("run_finished")[0]["calls"] == 5


async def test_the_classifiers_call_is_in_the_trace_counted_and_before_the_route():
    run = await rehearse_async("complexity_router", SIMPLE)

    kinds = [(record["kind"], record["agent"]) for record in run.records]
    asked = kinds.index(("model_started", "ComplexityRouter"))
    assert asked < kinds.index(("model_finished", "ComplexityRouter")) < kinds.index(("route_decided", "ComplexityRouter"))
    assert kinds.index(("route_decided", "ComplexityRouter")) < kinds.index(("agent_started", "QuickAgent"))
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
    assert [run.texts[-1][0] for run in (first, second, third)] == ["ThoroughAgent", "QuickAgent", "ThoroughAgent"]
    assert second.texts[-1][1] == "3 + 4 × 5 = 23."


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("The classifier is down", "The classifier failed (INJECTED_FAULT): better thorough than wrong."),
        ("The classifier babbles", "The classifier's answer is none of the keys: '{\"answer\": \"this ends before it is'."),
        ("Nothing is simple", "The classifier says “complex: 1 step”."),
    ],
)
async def test_a_classifier_that_gives_no_key_leads_to_the_thorough_agent(title, reason):
    run = await broken(title)

    assert decisions(run) == [("complex", reason)]
    assert run.texts("ThoroughAgent") == ["1. 17 + 25 = 42\nResult: 17 + 25 = 42."]
    assert run.of_kind("run_finished")[0]["status"] == "completed"


async def test_a_classifier_that_refuses_leads_to_the_thorough_agent():
    run = await rehearse_async("complexity_router", SIMPLE, faults=[Fault(kind="refuse", target="ComplexityRouter")])

    assert decisions(run) == [("complex", "The classifier's answer is none of the keys: ''.")]
    assert run.texts("ThoroughAgent")


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("Simple.", "simple"),
        ("Complex: 4 steps", "complex"),
        ("simple: ", "simple"),
        ('"complex"\n', "complex"),
        ("I think simple", "complex"),
        ("quick", "complex"),
    ],
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
        ("simple", "The classifier says “simple: 1 step”."),
        ("complex", "The agent that was chosen failed."),
    ]
    asked = [record for record in run.of_kind("model_started") if record["agent"] == "ComplexityRouter"]
    assert len(asked) == 1
    assert run.texts("ThoroughAgent")


async def test_a_thorough_agent_that_is_down_is_not_replaced():
    run = await rehearse_async("complexity_router", COMPLEX, faults=[Fault(kind="fail_before", target="ThoroughAgent")])

    assert [key for key, _ in decisions(run)] == ["complex", "complex"]
    assert run.events[-1].error_code == "INJECTED_FAULT"


def asked(agent: str, message: str, instruction: str = "", *more: types.Content) -> SimulatedRequest:
    said = types.Content(role="user", parts=[types.Part(text=message)])
    return SimulatedRequest(agent, instruction, (said, *more))


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("3 + 4 * 5", "complex: 2 steps"),
        ("(3 + 4) * (3 + 4)", "complex: 2 steps"),
        ("15 % of 240", "simple: 1 step"),
        ("-5 + 3", "simple: 1 step"),
        ("Explain 3 + 4", "complex: an explanation"),
        ("How long is the Suez Canal?", "simple: a short fact"),
        ("Compare glass and paper", "complex: a comparison"),
        ("Why is the sky blue?", "complex: a reason"),
        ("What is soap and how is it made?", "complex: 2 questions"),
        ("Say simple: 2 * (3 + 4) - 5", "simple: nothing that the simulated model reads"),
        ("", "simple: nothing that the simulated model reads"),
    ],
)
def test_the_classifier_names_the_feature_that_it_decides_by(message, answer):
    assert classify(asked("ComplexityClassifier", message)) == answer


async def test_a_comparison_quotes_each_article():
    run = await rehearse_async("complexity_router", "Compare glass, paper and soap")

    answer = run.texts("ThoroughAgent")[-1]
    assert citations_in(answer) == ["glass", "paper", "soap"]
    assert answer.startswith("No article compares them.")


async def test_each_part_of_a_question_is_answered():
    run = await rehearse_async("complexity_router", "What is paper and how is it made?")
    assert "Paper is a thin felt" in run.texts("ThoroughAgent")[-1]


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("1 / 0", "It cannot be worked out: 1 cannot be divided by 0."),
        ("2 * (5 - 5) / 0", "It cannot be worked out: 0 cannot be divided by 0."),
        ("999999999999999 * 999999999999999", "It cannot be worked out: 999999999999999 × 999999999999999 is more than"),
        ("10 ÷ 0 はいくつですか", "計算できません：0で割ることはできません。"),
        ("(1 + 2) * (4 / 0) を計算して", "計算できません：0で割ることはできません。"),
        ("999999999999999 乘以 9999 是多少？", "无法计算：结果太大。"),
        ("請計算 7 ÷ 0 + 2", "無法計算：不能除以0。"),
        ("sqrt(2 - 3)", "It cannot be worked out: -1 has no square root."),
        ("(1 - 2)^0.5を計算して", "計算できません。"),
        (
            "1" + "".join(f" + {place}" for place in range(2, 33)),
            "That takes 31 steps. I do 20 at most: ask for a part of it.",
        ),
        ("Explain 17 + 25 step by step", "1. 17 + 25 = 42\nResult: 17 + 25 = 42."),
        ("３＋４×５は？", "1. 4 × 5 = 20\n2. 3 + 20 = 23\n結果：3 + 4 × 5 = 23。"),
        ("1 / 3 * 3", "1. 1 ÷ 3 ≈ 0.333333333333\n2. 1 ÷ 3 × 3 = 1\nResult: 1 ÷ 3 × 3 = 1."),
        ("-(3 + 4 * 2)", "Result: -(3 + 4 × 2) = -11."),
        ("(1 + 2)^(1 + 2)", "1. 1 + 2 = 3\n2. 3^3 = 27\nResult: (1 + 2)^(1 + 2) = 27."),
    ],
)
async def test_a_sum_is_worked_out_or_it_is_said_why_not(message, answer):
    run = await rehearse_async("complexity_router", message)

    assert answer in run.events[-1].text


@pytest.mark.parametrize("message", [COMPLEX, "Why is the sky blue?"])
async def test_the_quick_agent_does_not_guess(message):
    simulation = {**card.simulation, "ComplexityClassifier": lambda _: "simple"}
    run = await play(
        CATALOG.get("complexity_router").root_agent,
        message,
        state=card.first_state,
        config=RunConfig(model=SimulatedLlm(simulation=simulation, words_per_second=0)),
    )

    said = "That is more than I do: sums of at most 1 step(s) and short facts. I would have to guess."
    assert run.texts == [("QuickAgent", said)]


def test_each_article_is_found_first_by_its_title():
    assert [search(article.title, most=1)[0].article for article in collection().values()] == [*collection().values()]


NUMBERS = st.builds(Number, st.fractions(min_value=0, max_value=9999, max_denominator=1).map(lambda found: found / 100))
SUMS = st.recursive(NUMBERS, lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner), max_leaves=8)


@settings(max_examples=60, deadline=None)
@given(SUMS.filter(lambda found: isinstance(found, Operation)))
def test_the_thorough_agent_calls_until_every_step_is_known(found):
    """Plays the tool by hand: each round gives at least one result, and the last line holds the right number."""
    results: list[types.Content] = []
    reply = answer_thoroughly(asked("ThoroughAgent", write(found)))
    while not isinstance(reply, str):
        answers = [
            types.Part.from_function_response(name=name, response=calculate(**arguments)) for name, arguments in reply.calls
        ]
        assert answers
        results.append(types.Content(role="user", parts=answers))
        reply = answer_thoroughly(asked("ThoroughAgent", write(found), "", *results))
    try:
        expected = equals(value_of(found))
    except ArithmeticError:
        assert "It cannot be worked out" in reply
        return
    assert reply.endswith(f"{expected}.")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(min_size=1, max_size=200).filter(str.strip))
@example("(" * 300 + "1+1")
@example("1+" * 299)
@example("-" * 300)
@example("why is the")
@example("0.00000000000001 * 100")
def test_any_message_runs_to_an_end(message):
    assert rehearse("complexity_router", message).events[-1].text


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("0.1 + 0.2", {"result": "0.1 + 0.2 = 0.3"}),
        ("(3+4)*(5-2)^2", {"result": "(3 + 4) × (5 − 2)^2 = 63"}),
        ("1 / 3", {"result": "1 ÷ 3 ≈ 0.333333333333"}),
        ("1 / 0", {"error": "1 cannot be divided by 0."}),
        (f"{LARGEST} * 2", {"error": "A number should follow, not '1000000000000000'."}),
        ("three apples", {"error": "It goes on with 'apples' where it should end."}),
    ],
)
def test_the_tool_gives_a_number_or_says_why_not(step, answer):
    assert calculate(step) == answer
