"""Has a model rewrite a text after several answers, for the arm *gepa*: with the prompt of *rewriting*, or with GEPA's own.

GEPA's own prompt shows a model all answers of a minibatch at once. The rewriter of the arm *rewriting* is called for each
wrong one, so that both arms have the same prompt, and the simulated rewriter can answer it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from google.genai import types

from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.lab.task import Outcome, Task, Usage
from agents.lab.work.rewriter import REWRITER, Rewritten, feedback_on, rewrite, text_of, written
from agents.lab.work.worker import model_of, priced
from agents.model import BaseLlm, LlmRequest
from agents.models.connections import redact
from agents.models.simulated.request import AGENT_LABEL


class Reflection(NamedTuple):
    """What came of a reflection.

    Attributes:
        text: The new text; the old one if nothing could be written.
        usage: What the calls used.
        error: The last call's error; "" for none.
    """

    text: str
    usage: Usage
    error: str = ""


async def reflect(answers: Sequence[tuple[Task, Outcome]], playbook: Playbook, *, most_calls: int | None) -> Reflection:
    """Rewrites a text once for each answer that is scored and wrong; a failed call leaves the text as it is.

    Args:
        answers: Samples and their answers.
        playbook: The text that they were answered with, a bullet a line.
        most_calls: Model calls that may be made; None for any number.
    """
    wrong = [one for one in answers if one[1].score is not None and not one[1].is_right]
    return await _rewritten([(one, rewrite) for one in wrong], playbook, most_calls)


async def reflect_by_gepa(
    answers: Sequence[tuple[Task, Outcome]], playbook: Playbook, *, most_calls: int | None
) -> Reflection:
    """Rewrites a text once after all answers, with GEPA's own prompt; see `reflect`."""

    async def write(model: BaseLlm, *_: Any) -> Rewritten:
        from gepa.strategies.instruction_proposal import InstructionProposalSignature

        proposal: Any = InstructionProposalSignature
        records = [
            {"Inputs": task.sample.question, "Generated Outputs": one.answer, "Feedback": feedback_on(task, one)}
            for task, one in answers
        ]
        prompt = proposal.prompt_renderer(
            {"current_instruction_doc": text_of(playbook), "dataset_with_feedback": records, "prompt_template": None}
        )
        content = types.Content(role="user", parts=[types.Part(text=prompt)])
        config = types.GenerateContentConfig(labels={AGENT_LABEL: REWRITER})
        request = LlmRequest(model=model.model, contents=[content], config=config)
        return await written(
            model, request, playbook, text_in=lambda said: proposal.output_extractor(said)["new_instruction"]
        )

    return await _rewritten([(answers[-1], write)], playbook, most_calls)


async def _rewritten(
    work: Sequence[tuple[tuple[Task, Outcome], Callable[..., Awaitable[Rewritten]]]],
    playbook: Playbook,
    most_calls: int | None,
) -> Reflection:
    """Rewrites a text one time after the other, as far as the calls suffice."""
    usage, error = Usage(), ""
    for (task, outcome), write in work if most_calls is None else work[: max(0, most_calls)]:
        model = model_of(task, REWRITER)
        try:
            rewritten = await write(model, task, outcome, playbook)
        except Exception as raised:  # noqa: BLE001  a model may raise anything; the optimisation goes on
            usage += priced(model, Usage(calls=1), None)
            error = f"The text was not rewritten: {redact(str(raised)) or type(raised).__name__}"
            continue
        usage += priced(model, rewritten.usage, rewritten.answered_by)
        error = rewritten.error or error
        for batch in rewritten.batches:
            playbook = apply_batch(playbook, DeltaBatch.model_validate(batch), at=time.time()).playbook
    return Reflection(text_of(playbook), usage, error)


def charged(outcome: Outcome, reflection: Reflection) -> Outcome:
    """An outcome whose sample is charged for a reflection, too."""
    if not reflection.usage.calls:
        return outcome
    return replace(outcome, usage={**outcome.usage, REWRITER: reflection.usage}, error=outcome.error or reflection.error)
