"""How the status poller is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.status_poller.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** Two agents in a `LoopAgent`. The worker has a model and a tool, `poll_job`, which writes `job_status` and
`progress` into state. The checker has no model at all: it is a class of twenty lines that subclasses `BaseAgent`, reads
`job_status`, and yields an event whose `actions.escalate` is true when the job has ended. Escalating ends the loop.

**When.** The condition for stopping can be written down in code. Then code should decide: it costs nothing, it is the
same every time, and you can test it. The same holds for budgets, deadlines and quality gates.

**When not.** The decision needs judgement about language; then a critic agent decides, as in *Iterative writing*. And for
a job of hours, do not keep a loop of model calls awake: pause the run and let the job's end resume it.

**What to look for**

- `CheckStatus` has no model call in the timeline. It takes no time and no tokens.
- The two agents share nothing but state: watch `job_status` change, and who wrote it.
- Every event of `CheckStatus` says whether it escalates. The last one does; the loop ends with its own pass.
- A job that *failed* has ended too. A loop that waits for success alone would go on asking until its limit.
- A long job is still running after eight polls: `max_iterations` ends the loop, not the job.

**Try**

- Sizes and amounts: *a tiny cleanup*, *resize 1200 photos*, *a huge migration*.
- Other names. About one job in five fails, and the same name with the same `seed` always does the same.
- In the code, let `ENDED` hold only `"completed"` and run a job that fails.

The job is made up, seeded by its name; the polling, the state and the end of the loop are real.
"""

card = Card(
    title="Status poller",
    pattern="Loop with a custom checker",
    summary="A worker polls a job; a small agent without a model ends the loop once the job has completed or failed.",
    lesson=LESSON,
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
