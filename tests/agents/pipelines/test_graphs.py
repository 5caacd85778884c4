"""The pipelines that are graphs: what is run again, what waits for what, and where an answer leads."""

from __future__ import annotations

import pytest

from agents import InMemorySessionService, RunConfig
from agents.models.simulated.model import SimulatedLlm
from agents.runtime.fault import Fault
from tests.agents.pausing_stage import answer_to, send, status, waiting
from tests.agents.pipelines.rehearsal import CATALOG, Rehearsal, rehearse_async
from tests.agents.stage import Play

pytestmark = pytest.mark.anyio
HEAVY = "Send 25 kg to Lisbon"
HIKE = "A hike of 4 km, 6 km uphill and 3 km downhill"


def started(run: Rehearsal) -> list[str]:
    return [record["agent"] for record in run.of_kind("agent_started")]


async def test_a_retry_repeats_its_node_alone():
    run = await rehearse_async("parcel_desk", HEAVY, state={"engaged": 2})
    assert started(run)[1:] == ["ParcelReader", "weigh", *["call_carrier"] * 3, "DeskClerk"]
    assert "call 3 got through" in run.events[-1].text


async def test_after_the_last_try_the_run_fails_and_the_clerk_has_no_turn():
    run = await rehearse_async("parcel_desk", HEAVY, state={"engaged": 3}, may_fail=True)
    assert run.of_kind("run_finished")[0]["status"] == "failed"
    assert "DeskClerk" not in started(run)


async def test_the_route_is_the_weights():
    run = await rehearse_async("parcel_desk", HEAVY, state={"limit": 25})
    assert started(run)[1:] == ["ParcelReader", "weigh", "stamp", "DeskClerk"]


async def test_each_leg_has_its_place_whoever_ends_first():
    slow = Fault(kind="delay", target="LegScout", call=1, seconds=0.05)
    run = await rehearse_async("hike_plan", HIKE, faults=[slow])
    [joined] = [event.output for event in run.events if event.node_info.name == "all_known"]
    ended = [event.output["km"] for event in run.events if event.author == "LegScout"]
    assert ended[-1] == 4
    assert [leg["km"] for leg in joined["LegScout"]] == [4, 6, 3]


async def test_a_leg_that_nobody_timed_is_counted():
    run = await rehearse_async("hike_plan", HIKE, faults=[Fault(kind="refuse", target="LegScout", call=2)])
    assert "Not timed: 1." in run.events[-1].text


class Desk:
    """A session with the invitation, in which questions are answered."""

    def __init__(self) -> None:
        self._found = CATALOG.get("invitation")
        self._service = InMemorySessionService()
        self._config = RunConfig(model=SimulatedLlm(simulation=self._found.card.simulation, words_per_second=0))

    async def say(self, message: str) -> Play:
        # the writer reads the request from state, where a run of the playground puts it
        root = self._found.root_agent.clone({"name": "Invitation", "before_agent_callback": self._begin(message)})
        return await send(root, message, service=self._service, config=self._config)

    async def answer(self, word: str, run: Play) -> Play:
        message = answer_to(*waiting(run)[-1:], result=word)
        return await send(self._found.root_agent, message, service=self._service, config=self._config)

    def _begin(self, message: str):
        def begin(callback_context) -> None:
            callback_context.state["request"] = message
            self._found.root_agent.before_agent_callback(callback_context)

        return begin


async def test_an_answer_leads_back_to_the_writer_and_then_out():
    desk = Desk()
    first = await desk.say("Invite Ana to dinner")
    again = await desk.answer("again", first)
    sent = await desk.answer("send", again)
    assert [status(run) for run in (first, again, sent)] == ["paused", "paused", "completed"]
    assert sent.session.state["sent"] == "What would dinner be without Ana? Please come."


async def test_an_answer_that_is_no_option_asks_for_another_draft():
    desk = Desk()
    run = await desk.answer("a bit warmer", await desk.say("Invite Ana to dinner"))
    assert status(run) == "paused"
    assert len(run.session.state["drafts"]) == 2


async def test_what_is_dropped_is_not_sent_and_a_new_message_begins_anew():
    desk = Desk()
    dropped = await desk.answer("drop", await desk.say("Invite Ana to dinner"))
    assert dropped.events[-1].text == "Nothing was sent."
    assert "sent" not in dropped.session.state
    assert len((await desk.say("Invite Bo to lunch")).session.state["drafts"]) == 1
