from __future__ import annotations

import pytest

from agents.pipelines.status_poller.agent import CheckStatus
from agents.pipelines.status_poller.simulation import work
from agents.runtime.fault import Fault
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse_async

JOBS = [
    f"{verb} {what}"
    for verb in ("sync", "import", "back up", "index")
    for what in ("mail", "photos", "orders", "a huge archive")
]


def check(run: Rehearsal) -> None:
    """The card's claims."""
    polls = [result.response for result in run.results("poll_job")]
    verdicts = [event.actions.escalate for event in run.events if event.author == "CheckStatus"]
    assert 1 <= run.passes <= 8
    assert [poll["poll"] for poll in polls] == list(range(1, run.passes + 1))
    assert verdicts == [poll["status"] in ("completed", "failed") for poll in polls]
    assert (run.state["job_status"], run.state["progress"]) == (polls[-1]["status"], polls[-1]["progress"])
    if run.loop_end == "escalated":
        assert verdicts[-1]
        assert run.of_kind("loop_finished")[0]["by"] == "CheckStatus"
    else:
        assert (run.loop_end, run.passes) == ("max_iterations", 8)
        assert run.state["job_status"] in ("queued", "running")
    assert not any(verdicts[:-1])


@pytest.mark.anyio
async def test_the_claims_of_the_card_hold_for_many_jobs():
    runs = [await rehearse_async("status_poller", job) for job in JOBS]

    for run in runs:
        check(run)
    assert {run.state["job_status"] for run in runs} == {"completed", "failed", "running"}
    assert len({run.passes for run in runs}) >= 4


@pytest.mark.anyio
async def test_the_samples_show_all_three_ends():
    ends = [
        (await rehearse_async("status_poller", sample)).state["job_status"]
        for sample in ("resize 1200 photos", "train the classifier", "a huge database migration")
    ]

    assert ends == ["completed", "failed", "running"]


@pytest.mark.anyio
async def test_the_checker_asks_no_model():
    run = await rehearse_async("status_poller", "nightly backup")

    assert {record["agent"] for record in run.of_kind("model_started")} == {"PollingWorker"}
    assert len(run.of_kind("model_started")) == 2 * run.passes


@pytest.mark.anyio
async def test_a_report_says_what_the_tool_said():
    run = await rehearse_async("status_poller", "train the classifier")

    last = run.results("poll_job")[-1].response
    assert last["status"] == "failed"
    assert run.texts("PollingWorker")[-1] == (
        f"Poll {last['poll']}: “train the classifier” failed at {last['progress']} %: {last['reason']}."
    )
    assert run.state["last_report"] == run.texts("PollingWorker")[-1]


@pytest.mark.anyio
async def test_the_next_job_of_a_session_is_polled_from_its_start():
    after = await rehearse_async("status_poller", "resize 1200 photos", "nightly backup")
    alone = await rehearse_async("status_poller", "nightly backup")

    check(after)
    assert [result.response for result in after.results("poll_job")] == [
        result.response for result in alone.results("poll_job")
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("message", ["{job_status} {nothing}", "Job: two\nJob: three", "huge " * 100, "tea"])
async def test_what_names_no_job_ends_the_loop_at_once(message):
    run = await rehearse_async("status_poller", message)

    assert (run.passes, run.loop_end, run.results("poll_job")) == (1, "escalated", [])


@pytest.mark.anyio
async def test_a_worker_that_only_talks_costs_one_pass():
    fault = Fault(kind="malformed_json", target="PollingWorker")
    talking = await rehearse_async("status_poller", "resize 1200 photos", faults=[fault])
    polling = await rehearse_async("status_poller", "resize 1200 photos")

    assert talking.passes == polling.passes + 1
    assert talking.texts("CheckStatus")[0] == "The job is unknown: poll again."
    assert talking.state["job_status"] == polling.state["job_status"] == "completed"


@pytest.mark.anyio
async def test_a_failing_model_leaves_the_job_as_it_was_last_seen():
    fault = Fault(kind="fail_before", target="PollingWorker", call=3)
    run = await rehearse_async("status_poller", "resize 1200 photos", faults=[fault])

    (seen,) = [result.response for result in run.results("poll_job")]
    assert run.of_kind("run_finished")[0]["status"] == "failed"
    assert (run.state["polls"], run.state["job_status"], run.state["progress"]) == (1, seen["status"], seen["progress"])


def test_two_checkers_may_stand_in_one_tree():
    assert CheckStatus().name == "CheckStatus"
    assert CheckStatus(name="Other").name == "Other"


def test_the_worker_polls_before_it_speaks(simulated_request):
    text = "Job: sync mail"

    assert work(simulated_request("PollingWorker", text)).calls == [("poll_job", {})]
    said = work(simulated_request("PollingWorker", text, results=[("poll_job", {"error": "Locked."})]))
    assert said == "The job could not be polled: Locked."
