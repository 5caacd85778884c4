"""Questions that were asked with a playbook: what a judged answer was asked, told to be right, and answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agents.ace.roles.instructions import ANSWER_KEY, TRUTH_KEY
from agents.ace.roles.judgement import is_same
from agents.ace.roles.schemas import GeneratorOutput, role_output
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.scorers.texts import as_score, truth_of
from agents.log import LogEntry
from agents.playbook import JudgedAnswer
from agents.runs.recordings.provenance import provenance_in


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of a session.

    Attributes:
        sample: The question, with the right answer if the session was told one.
        answer: What was answered; "" if it is not known.
    """

    sample: Sample
    answer: str


def asked_question(log: Iterable[LogEntry], answer: JudgedAnswer) -> AskedQuestion | None:
    """The question of a judged answer; None if the log is another session's, or has no question.

    Args:
        log: The entries of the answer's session, in order.
        answer: The answer.
    """
    found = provenance_in(log, answer)
    if not found.query:
        return None
    truth, said = found.values.get(TRUTH_KEY), role_output(found.values.get(ANSWER_KEY), GeneratorOutput)
    sample = Sample(
        id=f"{answer.session_id}:{answer.seq}", question=found.query, truth=None if truth is None else str(truth)
    )
    return AskedQuestion(sample, "" if said is None else said.final_answer)


class AsJudged:
    """The scorer of such questions: an answer is right as the pipeline itself judges it, as text or as a number."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer."""
        return as_score(is_right=is_same(answer, truth_of(sample)))
