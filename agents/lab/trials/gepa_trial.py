"""`GepaTrial`: the arm *gepa* with one seed. GEPA looks for notes, then the best of them are measured.

Each answer that GEPA asks for is a result, stored at once, but for the last one of a request: that one is stored with the
next request, because the calls that rewrite the notes are charged to it, and the operations that make the new notes belong
to it. So each candidate is a revision of the arm's playbook.

A trial that was cut off begins its optimisation again, and the stored results answer GEPA's requests in their order, without
a model. It asks for the same things as before, so the trial goes on where it stood: no result is stored twice, and it ends
like one that was never cut off. Lost is what was not stored: the answers that were being worked on, the last answer of a
request, and the rewriting that followed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace

from agents.ace.playbook import Playbook
from agents.errors import LabError
from agents.lab.description.arms import Arm, Gepa
from agents.lab.plan.plan import Part
from agents.lab.results.run_store import Step, counted
from agents.lab.sample import Sample
from agents.lab.scorer import Score
from agents.lab.task import Outcome, Task, Usage
from agents.lab.trials.optimizer import Evaluate, Optimizer, Place
from agents.lab.trials.together import together
from agents.lab.trials.trial import Setup, Trial, room_in
from agents.lab.work.reflection import charged, reflect, reflect_by_gepa
from agents.lab.work.rewriter import batches_between, text_of
from agents.storage.lab.result import Result, Standing

_TEST = 2
_PAGE = 500
_NO_END = 2**62


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer to a sample.

    Attributes:
        place: Which sample.
        sample: The sample.
        playbook: What it was answered with.
        outcome: The answer.
        stored: Its result, if it was stored before.
    """

    place: Place
    sample: Sample
    playbook: Playbook
    outcome: Outcome
    stored: Result | None = None


class _CutOffError(Exception):
    """The optimisation cannot go on: the run is to stop, or a limit is reached."""


class GepaTrial(Trial):
    """The arm *gepa* with one seed."""

    def __init__(self, setup: Setup, arm: Arm, standing: Standing) -> None:
        super().__init__(setup, arm, standing)
        assert isinstance(arm, Gepa)
        self._gepa = arm
        self._train, self._validation, self._test = self._plan
        self.total = self._size()
        self._now = Standing(key=standing.key, arm=standing.arm, seed=standing.seed)
        """How far the optimisation is; behind `standing` while stored results are read."""
        self._stored = self._read_stored()
        self._held: _Answer | None = None
        self._answers: list[_Answer] = []
        self._revisions: dict[str, int] = {}
        self._samples: dict[str, list[Sample]] = {}

    async def run(self, is_stopped: Callable[[], bool], tell: Callable[[], None]) -> None:
        """See `Trial.run`."""
        if not self.standing.has_ended and self.standing.part < _TEST:
            await self._optimize(is_stopped, tell)
        if self.standing.part == _TEST:
            self.total = self._size()
            await super().run(is_stopped, tell)

    def _size(self) -> int:
        """Samples of the whole plan; how many GEPA needs is known when it is done."""
        if self.standing.part < _TEST:
            return self._gepa.evaluations + self._test.stop
        return self.standing.number + (self._test.stop - self.standing.place if self.standing.part == _TEST else 0)

    async def _optimize(self, is_stopped: Callable[[], bool], tell: Callable[[], None]) -> None:
        self._samples = {part.phase: self._stream.take(part.split, 0, part.stop) for part in self._plan[:_TEST]}
        start = self._start()
        self._revisions = {text_of(start): start.revision}
        optimizer = Optimizer(
            text_of(start),
            train=self._train.stop,
            validation=self._validation.stop,
            minibatch=self._gepa.minibatch,
            seed=self.standing.seed,
            is_over=self._is_over,
        )
        try:
            async with aclosing(optimizer.requests()) as requests:
                async for request in requests:
                    if isinstance(request, Evaluate):
                        request.reply.set_result(await self._evaluate(request, is_stopped, tell))
                    else:
                        request.reply.set_result(await self._propose(request.text))
        except _CutOffError:
            if is_stopped():
                return
        self._settle()
        self.standing = replace(self._now, status="running", part=_TEST, place=0)
        self._setup.store.note(self.standing)
        tell()

    def _start(self) -> Playbook:
        """What the arm began with."""
        store = self._setup.store.playbook(self.standing.playbook)
        first = next(self._read_stored(), None)
        return store.playbook() if first is None else store.at(first.before)

    def _is_over(self) -> bool:
        """Whether an iteration may reach beyond the evaluations, or leave too little of a limit for the test."""
        now = self._now if self._held is None else counted(self._now, self._held.outcome)
        iteration = 2 * self._gepa.minibatch + self._validation.stop
        share = (iteration + self._test.stop) / now.number
        limits, (most_calls, most_tokens, most_dollars) = self._setup.description.limits, now.most
        spent = (
            (limits.calls, now.calls, most_calls),
            (limits.tokens, now.tokens, most_tokens),
            (limits.dollars, now.cost or 0.0, most_dollars),
        )
        is_short = any(limit is not None and used * (1 + share) + most > limit for limit, used, most in spent)
        return is_short or now.number + iteration > self._gepa.evaluations

    async def _evaluate(self, request: Evaluate, is_stopped: Callable[[], bool], tell: Callable[[], None]) -> list[float]:
        """Answers samples with a text; what is stored is not asked again."""
        self._settle()
        store = self._setup.store.playbook(self.standing.playbook)
        playbook, self._answers = store.at(self._revisions[request.text]), []
        for place, row in zip(request.places, self._stored, strict=False):
            self._add(self._answer_before(place, row, playbook), len(request.places))
        while rest := request.places[len(self._answers) :]:
            if is_stopped():
                raise _CutOffError
            room, _ = room_in(self._setup.description.limits, self._now)
            if (count := min(self._setup.description.workers, len(rest), room)) < 1:
                raise _CutOffError
            samples = [self._samples[place.phase][place.place] for place in rest[:count]]
            tasks = [self._task(sample, playbook, count) for sample in samples]
            outcomes = await together([self._setup.execute(task) for task in tasks])
            for place, sample, outcome in zip(rest, samples, outcomes, strict=False):
                self._add(_Answer(place, sample, playbook, outcome), len(request.places))
            tell()
            await asyncio.sleep(0)  # as in `Trial.run`
        if request.places[0].phase == "validation":
            self._note_best(playbook)
        return [float(answer.outcome.is_right) for answer in self._answers]

    async def _propose(self, text: str) -> str:
        """Has the text rewritten after the last answers. The new text is the newest revision of the playbook."""
        held, store = self._held, self._setup.store.playbook(self.standing.playbook)
        assert held is not None
        self._held = None
        if held.stored is None:
            limit = self._setup.description.limits.calls
            room = None if limit is None else limit - counted(self._now, held.outcome).calls
            told = [(self._told(answer), answer.outcome) for answer in self._answers]
            write = reflect_by_gepa if self._gepa.reflection == "gepa" else reflect
            reflection = await write(told, held.playbook, most_calls=room)
            batches = tuple(batches_between(store.playbook(), reflection.text.splitlines()))
            self._store(replace(held, outcome=replace(charged(held.outcome, reflection), batches=batches)), learns=True)
            made = store.playbook()
        else:
            self._store(held)
            made = store.at(held.stored.revision)
        self._revisions.setdefault(text_of(made), made.revision)
        return text_of(made)

    def _told(self, answer: _Answer) -> Task:
        return replace(self._task(answer.sample, answer.playbook, 1), feedback=self._gepa.feedback)

    def _note_best(self, playbook: Playbook) -> None:
        accuracy = sum(answer.outcome.is_right for answer in self._answers) / len(self._answers)
        if self._now.best is None or accuracy > self._now.best[1]:
            self._now = replace(self._now, best=(playbook.revision, accuracy))

    def _add(self, answer: _Answer, wanted: int) -> None:
        """Takes an answer of a request; the last one is held."""
        self._answers.append(answer)
        if len(self._answers) == wanted:
            self._held = answer
        else:
            self._store(answer)

    def _settle(self) -> None:
        """Stores the answer that is held, if there is one."""
        if self._held is not None:
            self._store(self._held)
            self._held = None

    def _store(self, answer: _Answer, *, learns: bool = False) -> None:
        part = replace(self._part(answer.place), stop=_NO_END, learns=learns)  # GEPA decides when it is done
        now = replace(self._now, part=self._plan.index(self._part(answer.place)), place=answer.place.place)
        if answer.stored is not None:
            self._now = counted(now, answer.outcome)
        else:
            step = Step(part, False, answer.playbook, [answer.sample], [answer.outcome])
            self._now = self.standing = self._setup.store.commit(now, step)

    def _part(self, place: Place) -> Part:
        return self._train if place.phase == "train" else self._validation

    def _answer_before(self, place: Place, row: Result, playbook: Playbook) -> _Answer:
        sample = self._samples[place.phase][place.place]
        if (row.phase, row.place, row.sample, row.before) != (*place, sample.id, playbook.revision):
            raise LabError(
                f"The arm {self.standing.arm!r} cannot go on: GEPA asks for other answers than when the run began. Install "
                "the version of the package gepa that it began with, or begin a new run."
            )
        return _Answer(place, sample, playbook, _outcome_of(row), row)

    def _read_stored(self) -> Iterator[Result]:
        """The results that are stored, in order."""
        key, after = self.standing.key, -1
        while page := self._setup.store.read(lambda run, at=after: list(run.results(key, after=at, limit=_PAGE))):
            yield from page
            after = page[-1].number


def _outcome_of(row: Result) -> Outcome:
    score = None if row.failed else Score(value=row.value, is_right=row.is_right, right=row.right, of=row.of, why=row.why)
    usage = Usage(calls=row.calls, input=row.input, output=row.output, cost=row.cost)
    return Outcome(
        sample=row.sample, answer=row.answer, score=score, error=row.error, usage={"": usage}, seconds=row.seconds
    )
