from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agents.pipelines.routed_ab.card import card
from agents.pipelines.routed_ab.simulation import summarise
from agents.pipelines.routed_ab.summary import is_text, key_sentences, key_words, one_sentence, sentences
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import rehearse, rehearse_async
from tests.agents.pipelines.visit import Visit, routes

BRIDGE = card.samples[0]
OF = {"A": "BriefSummary", "B": "DetailedSummary"}

pytestmark = pytest.mark.anyio


def thinkers(run) -> list[str]:
    return [record["agent"] for record in run.of_kind("model_started")]


@pytest.mark.parametrize("variant", ["A", "B"])
async def test_the_variant_that_is_set_answers_and_the_other_is_not_there(variant):
    run = await rehearse_async("routed_ab", BRIDGE, state={"variant": variant})

    (decided,) = run.of_kind("route_decided")
    assert (decided["level"], decided["candidates"], decided["key"]) == ("agent", ["A", "B"], variant)
    assert decided["reason"] == f"The variant is set to {variant}."
    assert thinkers(run) == [OF[variant]]
    assert run.state["summary"] == run.texts(OF[variant])[-1]


@pytest.mark.parametrize("sample", card.samples)
async def test_a_is_one_short_sentence_and_b_is_points_with_key_words(sample):
    brief = (await rehearse_async("routed_ab", sample, state={"variant": "A"})).state["summary"]
    detailed = (await rehearse_async("routed_ab", sample, state={"variant": "B"})).state["summary"].splitlines()

    assert brief in sample
    assert len(brief.split()) <= 15
    assert len(detailed) == 4
    assert all(line.startswith("- ") and line[2:] in sample for line in detailed[:-1])
    words = detailed[-1].removeprefix("Key words: ").split(", ")
    assert len(words) == 4
    assert all(word in sample for word in words)


async def test_the_setting_may_change_between_two_messages_of_a_session():
    visit = Visit("routed_ab")

    runs = [
        await visit.say(BRIDGE),
        await visit.say(BRIDGE, variant="B"),
        await visit.say(BRIDGE),
        await visit.say(BRIDGE, variant="A"),
    ]

    assert [routes(run)[-1][0] for run in runs] == ["A", "B", "B", "A"], "it stays as it was set"
    assert [run.texts[-1][0] for run in runs] == [OF[key] for key in "ABBA"]


async def test_the_setting_may_be_changed_by_an_event_alone():
    visit = Visit("routed_ab")
    await visit.say(BRIDGE)

    await visit.turn(variant="B")

    assert routes(await visit.say(BRIDGE))[-1] == ("B", "The variant is set to B.")


async def test_a_summary_is_made_of_its_own_message_alone():
    visit = Visit("routed_ab")
    await visit.say(BRIDGE)
    await visit.say("The cats sleep all day. The cats purr.", variant="B")

    assert [said.text for said in visit.asked[-1].history()] == ["The cats sleep all day. The cats purr."]


async def test_a_change_in_the_middle_of_an_answer_waits_for_the_next_message():
    visit = Visit("routed_ab")
    await visit.say(BRIDGE)

    authors = []
    async for event in visit.watch(BRIDGE):
        authors.append(event.author)
        await visit.turn(variant="B")

    assert authors == ["BriefSummary"]
    assert routes(await visit.say(BRIDGE))[-1][0] == "B"


async def test_by_session_a_session_keeps_its_variant_and_others_get_the_other():
    found = []
    for number in range(24):
        visit = Visit("routed_ab", session_id=f"session-{number}")
        first, second = await visit.say("One. Two.", variant="by session"), await visit.say("Three.")
        assert routes(first)[0] == routes(second)[-1]
        found.append(routes(first)[0])

    keys = [key for key, _ in found]
    assert 6 <= keys.count("A") <= 18
    assert {"A", "B"} == set(keys)
    assert {reason for _, reason in found} == {
        f"Sessions are divided by their id, and this one falls to {key}." for key in "AB"
    }


async def test_a_variant_that_fails_is_not_replaced_by_the_other():
    run = await rehearse_async("routed_ab", BRIDGE, faults=[Fault(kind="fail_before", target="BriefSummary")])

    assert run.events[-1].error_code == "INJECTED_FAULT"
    assert [record["failed"] for record in run.of_kind("route_decided")] == [[], ["A"]]
    assert thinkers(run) == ["BriefSummary"]
    assert "summary" not in run.state


async def test_a_variant_that_there_is_not_is_answered_with_those_that_there_are():
    run = await rehearse_async("routed_ab", BRIDGE, state={"variant": "C"}, may_fail=True)

    assert run.events[-1].error_code == "ROUTING"
    assert "A, B" in (run.events[-1].error_message or "")
    assert thinkers(run) == []


# -- the simulation


def test_both_do_what_their_instruction_says(simulated_request):
    text = "The rain falls on the hills. The rain fills the rivers of the hills. The snow melts. The sun shines."

    def told(instruction: str) -> str:
        request = simulated_request("Anyone", instruction)
        request.contents[0].parts[0].text = text
        return summarise(request)

    assert told("Write one sentence of at most 6 words.") == "The rain falls on the hills."
    assert told("Write one sentence of at most 3 words.") == "The snow melts."
    assert told("Write at most 2 points.") == "- The rain falls on the hills.\n- The rain fills the rivers of the hills."
    assert told("Write 1 point, and the 2 key words.") == "- The rain fills the rivers of the hills.\nKey words: hills, rain"
    assert told("Be nice.") == "The rain fills the rivers of the hills."


@pytest.mark.parametrize("variant", ["A", "B"])
async def test_both_variants_say_who_they_are_and_refuse_what_is_no_text(variant):
    run = await rehearse_async("routed_ab", "Who are you?", state={"variant": variant})
    refused = await rehearse_async("routed_ab", "{variant} {nothing} and ${x}.", state={"variant": variant})

    assert run.texts(OF[variant])[-1].startswith("I am a simulated model, no language model.")
    assert "“Who are you?”" in refused.texts(OF[variant])[-1]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("It rains. The bridge is closed.", True),
        ("A woman said “Who are you?” to the man. He left at once.", True),
        ("It rains. Is the bridge closed?", False),
        ("The bridge is closed. Tell me why.", False),
        ("The bridge is closed.", False),
        ("Ponte chiuso. Piove molto forte.", False),
        ("橋は閉まっています。橋は塗られます。", True),
        ("橋は閉まっていますか。橋は塗られます。", False),
        ("大桥关闭了。大桥要刷漆。", True),
        ("大桥关闭了。请告诉我原因。", False),
    ],
)
def test_a_text_is_several_statements(text, is_one):
    assert is_text(text) is is_one


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=600))
@example("word " * 4000)
@example("x" * 20_000)
@example("-" * 5000 + ".\n" * 5000)
def test_any_text_gets_shorter_and_stays_its_own(text):
    brief, points, words = one_sentence(text, 15), key_sentences(text, 3), key_words(text, 4)

    assert len(brief) <= 15 * 12 + 1
    assert len(points) <= 3
    assert set(points) <= set(sentences(text))
    assert len(words) <= 4
    assert all(word in text for word in words)
    assert bool(brief) == bool(sentences(text)) == bool(points)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(min_size=1, max_size=300).filter(str.strip), st.sampled_from(["A", "B"]))
def test_any_message_runs_to_an_end(message, variant):
    run = rehearse("routed_ab", message, state={"variant": variant})

    assert run.texts(OF[variant])[-1]
