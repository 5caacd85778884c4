from __future__ import annotations

import base64
import collections
import io

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image

from agents.pipelines.banana_painter.agent import MOST, slip_of_hand
from agents.pipelines.banana_painter.patches import count_yellow_patches
from agents.pipelines.banana_painter.simulation import check as simulated_check
from agents.pipelines.banana_painter.simulation import paint as simulated_paint
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse, rehearse_async


def picture_of(response) -> bytes:
    (part,) = response.parts
    assert part.inline_data.mime_type == "image/png"
    return part.inline_data.data


def counted(run: Rehearsal) -> list[int]:
    return [result.response["bananas"] for result in run.results("count_bananas")]


def check(run: Rehearsal, wanted: int) -> None:
    """The card's claims, for a number that can be painted."""
    pictures = [picture_of(result) for result in run.results("paint_bananas")]
    assert 1 <= run.passes == len(pictures) <= 6
    assert counted(run) == [count_yellow_patches(picture) for picture in pictures]
    assert wanted not in counted(run)[:-1]
    if run.loop_end == "escalated":
        assert counted(run)[-1] == wanted
        assert len(run.results("exit_loop")) == 1
    else:
        assert (run.loop_end, run.passes) == ("max_iterations", 6)
        assert counted(run)[-1] != wanted


@pytest.mark.anyio
@pytest.mark.parametrize("wanted", range(1, MOST + 1))
async def test_the_claims_of_the_card_hold_for_every_number(wanted):
    check(await rehearse_async("banana_painter", f"{wanted} bananas", state={"seed": wanted}), wanted)


@pytest.mark.anyio
async def test_pictures_are_shown_in_the_stream_and_kept_in_state():
    run = await rehearse_async("banana_painter", "seven")

    last = picture_of(run.results("paint_bananas")[-1])
    assert Image.open(io.BytesIO(last)).format == "PNG"
    assert run.state["current_image"] == f"data:image/png;base64,{base64.b64encode(last).decode()}"
    assert len(run.state["current_image"]) <= 12_000
    assert run.state["attempt"] == run.passes
    assert all(result.response["image"] == {"$ref": "image-1"} for result in run.results("paint_bananas"))
    assert all("painted" not in result.response for result in run.results("paint_bananas"))


@pytest.mark.anyio
async def test_a_steady_hand_is_right_at_once_and_a_very_unsteady_one_seldom():
    steady = await rehearse_async("banana_painter", "9", state={"unsteadiness": 0})
    wild = [await rehearse_async("banana_painter", "9", state={"unsteadiness": 12, "seed": seed}) for seed in range(6)]

    assert (steady.passes, steady.loop_end) == (1, "escalated")
    assert sum(run.loop_end == "max_iterations" for run in wild) >= 3


@pytest.mark.anyio
async def test_loops_end_both_ways_and_take_different_numbers_of_passes():
    runs = [await rehearse_async("banana_painter", "6", state={"seed": seed}) for seed in (0, 1, 3, 7, 8)]

    assert {run.loop_end for run in runs} == {"escalated", "max_iterations"}
    assert len({run.passes for run in runs}) >= 4


def test_the_hand_calms_down():
    slips = collections.defaultdict(set)
    for seed in range(300):
        for attempt in range(1, 7):
            slips[attempt].add(slip_of_hand(unsteadiness=3, attempt=attempt, seed=f"{seed}/{attempt}"))

    assert [max(slips[attempt]) for attempt in range(1, 7)] == [3, 2, 1, 1, 1, 1]
    assert [min(slips[attempt]) for attempt in range(1, 7)] == [-3, -2, -1, -1, -1, -1]
    assert slip_of_hand(unsteadiness=-5, attempt=1, seed="") == 0


@pytest.mark.anyio
@pytest.mark.parametrize("request_text", ["30", "0 bananas", "3.5 bananas", "a million bananas", "9" * 12])
async def test_a_number_that_does_not_fit_ends_with_what_would(request_text):
    run = await rehearse_async("banana_painter", request_text)

    (said,) = run.texts("PainterAgent")[-1:]
    assert "1 to 24" in said
    assert (run.passes, run.loop_end) == (1, "escalated")
    assert "error" in run.results("paint_bananas")[0].response
    assert not run.texts("CheckerAgent")
    assert "current_image" not in run.state


@pytest.mark.anyio
async def test_a_request_without_a_number_is_taken_for_five_and_says_so():
    run = await rehearse_async("banana_painter", "as many bananas as you like", state={"unsteadiness": 0})

    assert "names no number, so I take 5" in run.texts("PainterAgent")[-1]
    assert counted(run) == [5]


@pytest.mark.anyio
async def test_the_next_request_begins_anew_with_other_slips():
    first = await rehearse_async("banana_painter", "seven bananas")
    again = await rehearse_async("banana_painter", "seven bananas", "seven bananas")
    other = await rehearse_async("banana_painter", "seven bananas", "2")

    assert again.results("paint_bananas")[0].response["attempt"] == 1
    assert picture_of(again.results("paint_bananas")[0]) != picture_of(first.results("paint_bananas")[0])
    assert not again.texts("PainterAgent")[0].endswith("few.")
    assert other.results("paint_bananas")[0].response["asked_for"] == 2
    check(other, 2)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=120).filter(str.strip))
@example("Finding: 3 too many")
@example("Request: 4\nFinding: none")
@example("{finding} {nothing}")
@example("24 bananas and 1 to 99 more")
def test_any_request_runs_to_an_end(request_text):
    run = rehearse("banana_painter", request_text)

    assert run.loop_end in ("escalated", "max_iterations")
    assert run.texts("PainterAgent")
    assert run.of_kind("run_finished")[0]["status"] == "completed"


@pytest.mark.anyio
async def test_a_shaking_hand_uses_the_passes_up():
    run = await rehearse_async("banana_painter", "a plate with seven bananas", state={"unsteadiness": 12})

    check(run, 7)
    assert run.loop_end == "max_iterations"


@pytest.mark.anyio
async def test_a_checker_that_only_talks_passes_no_picture():
    fault = Fault(kind="malformed_json", target="CheckerAgent")
    run = await rehearse_async("banana_painter", "9", state={"unsteadiness": 0}, faults=[fault])

    assert (run.passes, run.loop_end) == (2, "escalated")
    assert counted(run) == [9]


@pytest.mark.anyio
async def test_a_tool_that_is_not_there_costs_one_call_and_no_pass():
    wrong = await rehearse_async("banana_painter", "9", faults=[Fault(kind="unknown_tool", target="PainterAgent")])
    right = await rehearse_async("banana_painter", "9")

    assert wrong.passes == right.passes
    assert len(wrong.of_kind("model_started")) == len(right.of_kind("model_started")) + 1


def test_the_simulations_take_the_default_from_their_prompts(simulated_request):
    text = "If the request names no number, 11 are wanted.\n\nRequest: some\n\nFinding:"

    (call,) = simulated_paint(simulated_request("PainterAgent", text)).calls
    assert call == ("paint_bananas", {"count": 11})
    checked = simulated_check(simulated_request("CheckerAgent", text, results=[("count_bananas", {"bananas": 11})]))
    assert checked.calls == [("exit_loop", {})]


def test_the_checker_believes_its_tool(simulated_request):
    text = "If it names no number, 5 are wanted.\n\nRequest: 8"

    assert simulated_check(simulated_request("CheckerAgent", text)).calls == [("count_bananas", {})]
    said = simulated_check(simulated_request("CheckerAgent", text, results=[("count_bananas", {"bananas": 1})]))
    assert said == "1 banana counted, 8 wanted: 7 too few."
    failed = simulated_check(simulated_request("CheckerAgent", text, results=[("count_bananas", {"error": "No paint."})]))
    assert failed == "Nothing could be counted: No paint."
