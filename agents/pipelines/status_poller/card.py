"""How the status poller is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.status_poller.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Status poller",
    pattern="Loop with a custom checker",
    summary="A worker polls a job; a small agent without a model ends the loop once the job has completed or failed.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=("resize 1200 photos", "train the classifier", "a tiny cleanup", "a huge database migration"),
    ends_when="The job has completed or failed, or after 8 passes.",
    message_key="job",
    start_state={"seed": 1},
    simulation=SIMULATION,
    breaks=(
        Break(
            title="The worker talks instead of polling",
            look_for="It calls no tool, so job_status is still unknown. The checker reads the state and not the words: it "
            "asks for another poll, and the nonsense has cost one pass.",
            faults=(Fault(kind="malformed_json", target="PollingWorker"),),
        ),
        Break(
            title="The model fails while the job goes on",
            look_for="The run ends with an error in the middle of the wait, and State shows the job as it was last seen. "
            "The job knows nothing of it: a run's error is not the job's.",
            faults=(Fault(kind="fail_before", target="PollingWorker", call=3),),
        ),
    ),
    highlights=(
        Highlight(text="class CheckStatus(BaseAgent):", note="A custom agent: a name and one method that yields events."),
        Highlight(
            text='ENDED = ("completed", "failed")',
            note="A job that failed has ended too: wait for the end, not for success.",
        ),
        Highlight(
            text="            actions=EventActions(escalate=has_ended),",
            note="The whole verdict: code sets it, no model is asked.",
        ),
        Highlight(text="    max_iterations=8,", note="The limit of the wait. It ends the loop, not the job."),
    ),
)
