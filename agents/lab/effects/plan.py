"""What is measured of a playbook, and the result: values. Both say by hashes what they hold for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from agents.ace.playbook import Playbook
from agents.lab.plan.origin import version_of
from agents.lab.sample import Sample
from agents.lab.scorer import Scorer
from agents.model import BaseLlm
from agents.pipelines.catalog import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured, and how.

    Attributes:
        playbook: The playbook.
        made_at: When it was made: another one may take its name later.
        bullet_ids: The bullets to measure; only those in prompts are.
        samples: The questions.
        source: Where they come from, for the reader.
        scorer: Scores the answers.
        scored_by: The scorer's name, for the reader and to tell scores apart.
        pipeline: The pipeline that answers.
        model: The model, by name.
        answers_with: The model, if it is given in Python.
        agents_dir: A folder with more pipelines.
    """

    playbook: Playbook
    made_at: float
    bullet_ids: Sequence[str]
    samples: Sequence[Sample]
    source: str
    scorer: Scorer
    scored_by: str
    pipeline: str
    model: str
    answers_with: BaseLlm | None = None
    agents_dir: Path | None = None

    @property
    def answers(self) -> int:
        """The number of answers that it takes: each question with the whole playbook, and without each bullet."""
        return (len(self.bullet_ids) + 1) * len(self.samples)

    def scope(self) -> bytes:
        """What scores are kept for, as a hash.

        Raises:
            PipelineNotFoundError: There is no such pipeline.
        """
        version = version_of(Catalog(self.agents_dir).get(self.pipeline))
        return hash_of(self.playbook.as_prompt(), self.pipeline, version, self.model, self.scored_by)


class MeasuredEffect(NamedTuple):
    """A bullet's effect, see `Effect`.

    Attributes:
        text: The hash of its text at that time.
        effect: From -1 to 1.
        low: The lower end of the interval.
        high: The upper end.
        helped: Number of samples that score higher with it.
        harmed: Number of samples that score higher without it.
        p: The p-value of the test that it makes no difference.
    """

    text: str
    effect: float
    low: float
    high: float
    helped: int
    harmed: int
    p: float

    def is_of(self, content: str) -> bool:
        """Whether it was measured for this text."""
        return self.text == hash_of(content).hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A measurement's result.

    Attributes:
        playbook: The playbook's name.
        made_at: When the playbook was made: another one may have taken its name since.
        revision: The measured revision.
        texts: The hash of the texts in prompts at that revision.
        at: When, in seconds since the epoch.
        source: Where the questions came from.
        samples: The number of questions.
        score: The mean score with the whole playbook.
        pipeline: The pipeline that answered.
        model: The model.
        effects: The effects by bullet, the most useful one first.
    """

    playbook: str
    made_at: float
    revision: int
    texts: str
    at: float
    source: str
    samples: int
    score: float
    pipeline: str
    model: str
    effects: Mapping[str, MeasuredEffect] = field(default_factory=dict[str, MeasuredEffect])

    def is_stale(self, playbook: Playbook) -> bool:
        """Whether texts in prompts are others than those that were measured."""
        return playbook.revision != self.revision and texts_hash(playbook) != self.texts


def texts_hash(playbook: Playbook) -> str:
    """The hash of the texts in prompts; counters are left out."""
    return hash_of(*(part for bullet in playbook.active for part in (bullet.id, bullet.section, bullet.content))).hex()


def hash_of(*texts: str) -> bytes:
    """A hash of texts: 16 bytes, for which a text's length counts too."""
    found = sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        found.update(f"{len(content)}:".encode())
        found.update(content)
    return found.digest()[:16]
