"""`LabRun`: the results of a run, to be read while it goes on and afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, NamedTuple, Self

from agents.access import OWNER, User
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import LabError, known
from agents.lab.description.arms import HeldOut
from agents.lab.description.lab_description import LabDescription
from agents.lab.plan.origin import Origin
from agents.lab.results.comparison import Comparison, Verdict, compared, corrected
from agents.lab.results.run_store import RunStore
from agents.lab.results.session_log import session_file, unpacked
from agents.lab.statistics import Interval, wilson
from agents.sharing.session_file import SessionFile
from agents.storage.lab.result import Result, Standing
from agents.storage.lab.run_database import LabelCount

Status = Literal["waiting", "running", "finished"]
"""Whether a run has begun, and whether all of its arms have ended. A stopped run is running: it can be resumed."""
STATUS_WORDS: Mapping[Status, str] = {"waiting": "not begun", "running": "not finished", "finished": "finished"}
"""A run's status in words: whether somebody works on it is not known here."""
WINDOW = 20
"""Samples of the moving accuracy."""
MOST_POINTS = 400
"""Most points of a curve."""

_REPORTED = ("stream", "test")
_SUMMED = ("of", "right", "failed", "right_parts", "parts")
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSummary:
    """An arm's results over all seeds. Failed samples count as wrong.

    Attributes:
        arm: Its title.
        kind: Its kind.
        split: The split whose answers count.
        by_seed: The accuracy with each seed that has answers.
        right: Right answers, of the samples that are reported: those of the stream, of offline arms and GEPA those of the
            test.
        of: All answers.
        questions: The questions that they are to; with several seeds each has several answers.
        failed: Answers among them that failed.
        right_parts: Right parts of all answers, such as entities of a list.
        parts: All of their parts; as many as answers where no answer has parts.
        score: Mean score from 0 to 1; it differs from the accuracy where an answer can be right in part.
        interval: The Wilson interval of the accuracy over questions: seeds are orders of the same ones, and no new ones.
        samples: Samples worked on, training and validation included.
        calls: Model calls for all of them.
        tokens: Tokens for all of them.
        cost: US dollars for all of them; None if unknown.
        bullets: Bullets of the playbooks after their last samples, a seed on average. Of an offline arm that has ended these
            are the playbooks that did best.
        playbook_tokens: Their tokens.
        lost: Batches of operations that were lost.
        dropped: Questions of a history that no longer fitted into its window, the oldest ones.
        has_ended: Whether nothing is left to do.
        why: Why it ended early; "" if it did not.
    """

    arm: str
    kind: str
    split: str
    by_seed: tuple[float, ...]
    right: int
    of: int
    questions: int
    failed: int
    right_parts: int
    parts: int
    score: float
    interval: Interval
    samples: int
    calls: int
    tokens: int
    cost: float | None
    bullets: float
    playbook_tokens: float
    lost: int
    dropped: int
    has_ended: bool
    why: str

    @property
    def accuracy(self) -> float:
        """From 0 to 1."""
        return self.right / self.of if self.of else 0.0


class Point(NamedTuple):
    """A point of an arm's curves, after a sample.

    Attributes:
        number: Samples so far, of all phases.
        questions: The questions that these are answers to: an offline arm answers some again.
        calls: Model calls so far.
        tokens: Tokens so far.
        accuracy: Share of right answers so far.
        recent: Share of right answers among the last `WINDOW`.
        bullets: Bullets of the playbook.
        playbook_tokens: Tokens of the playbook.
        revision: Its revision.
    """

    number: int
    questions: int
    calls: int
    tokens: int
    accuracy: float
    recent: float
    bullets: int
    playbook_tokens: int
    revision: int


class LabRun:
    """A run's results.

    Attributes:
        name: The name of its folder.
        description: What it measures.
        origin: What it was begun with.

    Args:
        name: The name of its folder.
        description: What it measures.
        origin: What it was begun with.
        store: Its database.
        user: Who asks: not every user may change its playbooks.
    """

    def __init__(
        self, name: str, description: LabDescription, origin: Origin, store: RunStore, *, user: User = OWNER
    ) -> None:
        self.name, self.description, self.origin, self._store, self._user = name, description, origin, store, user

    @property
    def status(self) -> Status:
        """Whether it has ended."""
        standings = self.standings()
        if not standings:
            return "waiting"
        wanted = len(self.description.arms) * len(self.description.seeds)
        return "finished" if len(standings) == wanted and all(one.has_ended for one in standings) else "running"

    def standings(self) -> list[Standing]:
        """How far each arm and seed is."""
        return self._store.trials()

    def standing(self, arm: str, seed: int) -> Standing:
        """How far an arm and seed is.

        Raises:
            LabError: There is none, or it was not begun.
        """
        standings = self.standings()
        for one in standings:
            if (one.arm, one.seed) == (arm, seed):
                return one
        there = known(f"{one.arm}, seed {one.seed}" for one in standings)
        raise LabError(f"The run {self.name!r} has no arm {arm!r} with seed {seed}. There are: {there or 'none yet'}.")

    def results(self, arm: str, seed: int, *, after: int = -1, limit: int | None = None) -> Iterator[Result]:
        """The results of an arm and seed, in order, read bit by bit.

        Args:
            arm: The arm.
            seed: The seed.
            after: Only those with a number above.
            limit: Most of them.
        """
        key, left = self.standing(arm, seed).key, limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(_PAGE, left)
            page = self._store.read(lambda run, at=after, size=size: list(run.results(key, after=at, limit=size)))
            yield from page
            if len(page) < size:
                return
            after, left = page[-1].number, None if left is None else left - len(page)

    def first_failed(self, arm: str) -> Result | None:
        """The first result of an arm that failed, of the first seed that has one; None if none did."""
        for one in self.standings():
            if one.arm == arm and one.failed:
                number = self._store.read(lambda run, key=one.key: run.first_failed(key))
                if number is not None:
                    return next(self.results(arm, one.seed, after=number - 1, limit=1), None)
        return None

    def playbook(self, arm: str, seed: int) -> PlaybookStore:
        """The playbook of an arm and seed, with all of its revisions."""
        store = self._store.playbook(self.standing(arm, seed).playbook)
        return store.beside(store.name, user=self._user)

    def summaries(self) -> list[ArmSummary]:
        """All arms, in the description's order."""
        return [self.summary(arm.title) for arm in self.description.arms]

    def summary(self, arm: str) -> ArmSummary:
        """An arm's results over all seeds.

        Raises:
            LabError: There is no such arm.
        """
        found = next((one for one in self.description.arms if one.title == arm), None)
        if found is None:
            titles = known(one.title for one in self.description.arms)
            raise LabError(f"The run {self.name!r} has no arm {arm!r}. There are: {titles}.")
        standings, phases = [one for one in self.standings() if one.arm == arm], self.reported(arm)
        counts = [self._store.read(lambda run, key=one.key: run.counts(key, phases)) for one in standings]
        of, right, failed, right_parts, parts = (sum(getattr(one, name) for one in counts) for name in _SUMMED)
        keys = [one.key for one in standings]
        questions = self._store.read(lambda run: run.questions(keys, phases))
        sizes = [self._size(one) for one in standings]
        costs, seeds = [one.cost for one in standings], max(1, len(standings))
        return ArmSummary(
            arm=arm,
            kind=found.kind,
            split=self.split(arm),
            by_seed=tuple(one.right / one.of for one in counts if one.of),
            right=right,
            of=of,
            questions=questions,
            failed=failed,
            right_parts=right_parts,
            parts=parts,
            score=sum(one.value for one in counts) / of if of else 0.0,
            interval=wilson(right / of * questions if of else 0, questions),
            samples=sum(one.number for one in standings),
            calls=sum(one.calls for one in standings),
            tokens=sum(one.tokens for one in standings),
            cost=None if None in costs else sum(cost or 0.0 for cost in costs),
            bullets=sum(bullets for bullets, _ in sizes) / seeds,
            playbook_tokens=sum(tokens for _, tokens in sizes) / seeds,
            lost=sum(self._store.read(lambda run, key=one.key: run.lost(key)) for one in standings),
            dropped=sum(map(self._dropped, standings)) if found.kind == "history" else 0,
            has_ended=len(standings) == len(self.description.seeds) and all(one.has_ended for one in standings),
            why=next((one.why for one in standings if one.why), ""),
        )

    def _size(self, standing: Standing) -> tuple[int, int]:
        """Bullets and tokens of the playbook after the last sample."""
        if (size := self._store.read(lambda run: run.last_size(standing.key))) is not None:
            return size
        begun = self._store.playbook(standing.playbook).playbook()
        return len(begun), begun.tokens

    def by_label(self, arm: str) -> list[LabelCount]:
        """What an arm's reported answers come to by the labels of their questions, over all seeds."""
        keys = [one.key for one in self.standings() if one.arm == arm]
        return self._store.read(lambda run: run.by_label(keys, self.reported(arm)))

    def _dropped(self, standing: Standing) -> int:
        """Ids that were given in a playbook, less the bullets that are left."""
        playbook = self._store.playbook(standing.playbook).playbook()
        return playbook.next_number - 1 - len(playbook)

    def curve(self, arm: str, seed: int) -> list[Point]:
        """Accuracy, costs and size of the playbook over the samples; at most `MOST_POINTS` points, the last one among them.

        Of an offline arm and of GEPA every sample counts, also those of training and validation.
        """
        standing = self.standing(arm, seed)
        rows = self._store.read(lambda run: list(run.curve(standing.key)))
        every = -(-max(1, len(rows)) // MOST_POINTS)
        recent: deque[bool] = deque(maxlen=WINDOW)
        asked: set[str] = set()
        calls = tokens = right = 0
        found: list[Point] = []
        for done, row in enumerate(rows, start=1):
            asked.add(row.sample)
            recent.append(row.is_right)
            calls, tokens, right = calls + row.calls, tokens + row.tokens, right + row.is_right
            if done % every == 0 or done == len(rows):
                size = row.bullets, row.playbook_tokens, row.revision
                found.append(Point(done, len(asked), calls, tokens, right / done, sum(recent) / len(recent), *size))
        return found

    def session(self, arm: str, seed: int, number: int) -> SessionFile | None:
        """The session of a sample, as the playground imports it; None if it was not kept.

        Raises:
            LabError: There is no such arm and seed.
        """
        standing = self.standing(arm, seed)
        body = self._store.read(lambda run: run.session(standing.key, number))
        result = next(self.results(arm, seed, after=number - 1, limit=1), None)
        if body is None or result is None:
            return None
        playbook = self.playbook(arm, seed).at(result.before)
        return session_file(
            unpacked(body, playbook),
            playbook,
            pipeline=self.description.pipeline,
            session=f"{self.name}-{standing.playbook}-{number}".replace(" ", "-").replace(",", ""),
            title=f"Lab {self.name}: {arm}, sample {number + 1}",
        )

    def reported(self, arm: str) -> tuple[str, ...]:
        """The phases whose results count for an arm: those of the stream, of offline arms and of GEPA those of the test."""
        is_offline = any(one.title == arm and isinstance(one, HeldOut) for one in self.description.arms)
        return _REPORTED[is_offline:]

    def split(self, arm: str) -> str:
        """The split whose results count for an arm."""
        found = next((one for one in self.description.arms if one.title == arm and isinstance(one, HeldOut)), None)
        return self.description.split if found is None else found.test

    def pairs(self) -> list[tuple[str, str]]:
        """The arms that are compared: each with the one without a playbook that answers the same split, else the first."""
        first: dict[str, str] = {}
        for arm in sorted(self.description.arms, key=lambda arm: arm.kind != "none"):
            first.setdefault(self.split(arm.title), arm.title)
        pairs = [(arm.title, first[self.split(arm.title)]) for arm in self.description.arms]
        return [(arm, other) for arm, other in pairs if arm != other]

    def differences(self) -> list[Comparison]:
        """The comparisons of `pairs`, with p-values corrected for their number."""
        return corrected([self.compare(arm, other) for arm, other in self.pairs()])

    def compare(self, arm: str, other: str, *, run: LabRun | None = None) -> Comparison:
        """Compares two arms on the samples that both have answered, with the same seed.

        Args:
            arm: The first arm.
            other: The second one.
            run: The run of the second one; by default this one.
        """
        return compared(arm, self._verdicts(arm), other, (run or self)._verdicts(other))

    def _verdicts(self, arm: str) -> list[Verdict]:
        """What the reported samples of an arm came to."""
        found: list[Verdict] = []
        phases = self.reported(arm)
        for standing in self.standings():
            if standing.arm == arm:
                rows = self._store.read(lambda run, key=standing.key, of=phases: list(run.verdicts(key, of)))
                found += [Verdict(standing.seed, *row) for row in rows]
        return found

    def close(self) -> None:
        """Closes the database."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
