"""`LessonDesk`: a learner at their lessons. It starts the runs of steps, takes answers, and keeps what was done."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any, Literal

from pydantic import JsonValue

from agents.access import Action, User, permits
from agents.cases import CaseRun
from agents.cases.kept_run import keep_log
from agents.errors import LessonError, PlaygroundError, SessionNotFoundError
from agents.event import REQUEST_ANSWER
from agents.forks import BackgroundForks, ModelChange
from agents.lessons.copies import Copies, changed_agents, changed_controls, has_copy, original
from agents.lessons.headless import StepRunner, faults_of, messages_of, verdict_on
from agents.lessons.lesson import FindFault, Investigate, Lesson, Make, Modify, Play, Predict, Step
from agents.lessons.lesson_file import ENGLISH, load_lesson
from agents.lessons.progress import ProgressLine, StepProgress, read_progress
from agents.lessons.verdict import Answer, is_typed, score
from agents.log import LogEntry
from agents.models.simulated.spec import SIMULATED
from agents.models.you.answer import PASS
from agents.models.you.spec import YOU
from agents.pipeline import Pipeline
from agents.records import ModelFinished, RunStarted
from agents.runs.manager import RunManager
from agents.runs.services import Services
from agents.runs.values import PendingCall

Stage = Literal["new", "running", "asks", "ended"]
"""How far the run of a step is: asks is a run that waits for the learner."""
_BROKEN_OFF = ("stopped", "interrupted")
"""How a run ends that the learner, or the end of the program, has stopped."""


class LessonDesk:
    """One learner's lessons. Any call may raise a `PlaygroundError`, and `NotPermittedError` is one.

    Attributes:
        copies: The learner's copies of teams.

    Args:
        runs: Runs the steps, as the learner's.
        copies: The learner's copies.
        language: The language of hints.
    """

    def __init__(self, runs: RunManager, copies: Copies, language: str = ENGLISH) -> None:
        self._runs, self.copies, self._language = runs, copies, language

    def in_language(self, language: str) -> LessonDesk:
        """The same desk with hints in a language; those that are not translated stay English."""
        return LessonDesk(self._runs, self.copies, language)

    @property
    def learner(self) -> User:
        """Whose lessons these are."""
        return self._runs.user

    def progress(self, name: str, lesson: Lesson) -> dict[str, StepProgress]:
        """What was done in a lesson, by step; a step that is not begun is there, too."""
        self._runs.require(Action.LEARN)

        async def read(services: Services) -> dict[str, StepProgress]:
            rows = services.lessons.rows(user_id=self.learner.id, lesson=name)
            return {row.step: read_progress(row.body) for row in rows}

        found = self._runs.in_store(read, action=Action.LEARN)
        return {step.id: found.get(step.id, StepProgress()) for step in lesson.steps}

    def table(self) -> list[ProgressLine]:
        """What learners have done, of those that the user may see: the owner all, a teacher learners, others themselves."""
        self._runs.require(Action.READ_PROGRESS)
        user = self.learner

        async def read(services: Services) -> list[ProgressLine]:
            rows = services.lessons.rows(user_id=None if user.seen_prefixes else user.id)
            lines = [ProgressLine(*row[:4], read_progress(row.body)) for row in rows]
            return [line for line in lines if permits(user, Action.READ_PROGRESS, of=line.learner)]

        return self._runs.in_store(read, action=Action.READ_PROGRESS)

    def stage(self, name: str, step: Step, done: StepProgress) -> Stage:
        """How far a step's run is; one that was stopped before its end counts as none.

        A run that waits where nobody is asked goes on, and a prediction is scored at the end of its run.
        """
        found = done.session and self._runs.sessions.find(name, done.session)
        if not found or found.status in _BROKEN_OFF:
            return "new"
        if found.status in {"running", "waiting"}:
            return "running"
        waiting = next((call for call in self._runs.pending_in([found]) if call.tool == REQUEST_ANSWER), None)
        if waiting is None:
            if found.status == "completed" and self._goes_on(name, step, found.id):
                return "running"
            if done.status == "waiting":
                self._settle(name, step, found.id)
            return "ended"
        if isinstance(step, Predict) and (done.status != "open" or not self._is_due(step, name, waiting)):
            self._runs.answer(name, waiting.session_id, waiting.call_id, {PASS: True})
            return "running"
        return "asks"

    def begin(self, name: str, step_id: str) -> StepProgress:
        """Starts the run of a step, unless it has one. The run of another step is taken if it is the same."""
        pipeline, lesson, step = self._find(name, step_id)
        done = self.progress(name, lesson)
        here = done[step_id]
        if isinstance(step, (Modify, Make)):
            raise LessonError("This step runs your copy of the team: check it.")
        if self.stage(name, step, here) != "new":
            return here
        if isinstance(step, Predict) and step.pause is None and here.status == "open":
            raise LessonError("The run waits for your prediction. Choose an answer first.")
        session = self._same_run(name, lesson, step, done) or self._start(pipeline, step)
        return self._change(name, step, lambda now: now.but(session=session))

    def answer(self, name: str, step_id: str, answer: Answer) -> StepProgress:
        """Takes an answer to a predict, investigate or find-the-fault step, and says what it is worth.

        Raises:
            LessonError: The step takes no such answer, or its run has not ended.
        """
        pipeline, lesson, step = self._find(name, step_id)
        if isinstance(step, Predict):
            return self._predict(pipeline, lesson, step, answer)
        if not isinstance(step, (Investigate, FindFault)):
            raise LessonError("This step is scored by its run. Check it there.")
        log = self._ended_log(name, step, self.progress(name, lesson)[step_id])
        verdict = score(step, answer, log)
        return self._change(
            name, step, lambda now: now.scored(verdict, answer=answer.value, seq=answer.seq, found=verdict.found)
        )

    def check(self, name: str, step_id: str) -> StepProgress:
        """Runs the learner's copy, or looks at the run that they have played in, and says what it is worth."""
        pipeline, lesson, step = self._find(name, step_id)
        done = self.progress(name, lesson)[step_id]
        session = done.session
        if isinstance(step, (Modify, Make)):
            changed = set(done.controls)
            if has_copy(step):
                changed |= changed_agents(original(pipeline, step), self.copies.open(pipeline, step).files)
            runs = self._run_copy(pipeline, step, done)
            session = self._keep(pipeline, step, runs[0]) or session
            verdict = verdict_on(step, runs, changed)
        elif isinstance(step, Play):
            verdict = score(step, Answer(), self._ended_log(name, step, done))
        else:
            raise LessonError("This step asks for an answer. Give it there.")
        return self._change(name, step, lambda now: now.but(session=session).scored(verdict))

    def again(self, name: str, step_id: str) -> StepProgress:
        """Starts a step's run once more, in a new session."""
        pipeline, _, step = self._find(name, step_id)
        session = self._start(pipeline, step)
        return self._change(name, step, lambda now: now.but(session=session, said=""))

    def set_control(self, name: str, step_id: str, control: str, value: JsonValue) -> StepProgress:
        """Changes a control of the pipeline for a step's run; a value that it has anyway is no change.

        Raises:
            LessonError: The step does not offer it.
        """
        pipeline, _, step = self._find(name, step_id)
        if not isinstance(step, (Modify, Make)):
            raise LessonError("This step has nothing to change.")

        def change(now: StepProgress) -> StepProgress:
            return now.but(controls=changed_controls(pipeline, step, {**now.controls, control: value}))

        return self._change(name, step, change)

    def reset_copy(self, name: str, step_id: str) -> None:
        """Gives the copy of a step the files that it began with, and controls their values."""
        pipeline, _, step = self._find(name, step_id)
        if isinstance(step, (Modify, Make)):
            if has_copy(step):
                self.copies.reset(pipeline, step)
            self._change(name, step, lambda now: now.but(controls={}, said=""))

    def compare(self, name: str, step_id: str) -> StepProgress:
        """Has the simulated model answer what the learner was asked first as the model, in a fork of the session."""
        _, lesson, step = self._find(name, step_id)
        done = self.progress(name, lesson)[step_id]
        typed = next((entry.seq for entry in self.log(name, done) if is_typed(entry)), None)
        if not isinstance(step, Play) or done.session is None or typed is None:
            raise LessonError("You have not answered as the model yet. Do that first.")
        [fork] = BackgroundForks(self._runs).rerun(name, done.session, at=typed, changes=[ModelChange(model=SIMULATED)])
        return self._change(name, step, lambda now: now.but(beside=fork))

    def hint(self, name: str, step_id: str) -> StepProgress:
        """Shows the next hint, which costs a point."""
        _, _, step = self._find(name, step_id)
        most = len(step.hints)
        return self._change(name, step, lambda now: now if now.is_over else now.but(hints=min(most, now.hints + 1)))

    def give_up(self, name: str, step_id: str) -> StepProgress:
        """Ends a step without its points."""
        _, _, step = self._find(name, step_id)
        return self._change(name, step, lambda now: now if now.is_over else now.but(status="given_up", points=0))

    def reset(self, name: str) -> None:
        """Forgets what was done in a lesson, and gives the copies the files that they began with. Sessions stay."""
        self._runs.require(Action.LEARN)
        pipeline = self._runs.catalog.get(name)
        for step in getattr(load_lesson(pipeline), "steps", ()):
            if isinstance(step, (Modify, Make)) and has_copy(step):
                self.copies.reset(pipeline, step)

        async def clear(services: Services) -> None:
            services.lessons.clear(self.learner.id, name)

        self._runs.in_store(clear, action=Action.LEARN)

    def log(self, name: str, done: StepProgress) -> list[LogEntry]:
        """The log of a step's run; none if it has none."""
        try:
            return [] if done.session is None else self._runs.sessions.log(name, done.session)
        except SessionNotFoundError:
            return []

    # -- parts

    def _find(self, name: str, step_id: str) -> tuple[Pipeline, Lesson, Step]:
        self._runs.require(Action.LEARN)
        pipeline = self._runs.catalog.get(name)
        lesson = load_lesson(pipeline, self._language)
        step = None if lesson is None else lesson.step(step_id)
        if lesson is None or step is None:
            raise LessonError(f"There is no step {step_id[:60]!r} in a lesson of {name!r}. Its file may have been changed.")
        return pipeline, lesson, step

    def _change(self, name: str, step: Step, change: Callable[[StepProgress], StepProgress]) -> StepProgress:
        async def write(services: Services) -> str:
            return services.lessons.change(
                self.learner.id, name, step.id, lambda body: change(read_progress(body)).model_dump_json()
            )

        return read_progress(self._runs.in_store(write, action=Action.LEARN))

    def _predict(self, pipeline: Pipeline, lesson: Lesson, step: Predict, answer: Answer) -> StepProgress:
        if all(one.value != answer.value for one in step.choices):
            raise LessonError("This is none of the answers to choose from. Choose one of them.")

        def take(now: StepProgress) -> StepProgress:
            return now.but(status="waiting", answer=answer.value, tries=1) if now.status == "open" else now

        done = self._change(pipeline.name, step, take)
        if done.status == "waiting" and done.session is None:
            done = self.begin(pipeline.name, step.id)
        self.stage(pipeline.name, step, done)
        return self.progress(pipeline.name, lesson)[step.id]

    def _settle(self, name: str, step: Step, session: str) -> None:
        """Scores a prediction by the log of the run that has ended."""
        log = self._runs.sessions.log(name, session)

        def settle(now: StepProgress) -> StepProgress:
            if now.status != "waiting":
                return now
            verdict = score(step, Answer(now.answer), log)
            return now.scored(verdict, wrong="failed", tries=now.tries, truth=verdict.truth)

        self._change(name, step, settle)

    def _is_due(self, step: Predict, name: str, waiting: PendingCall) -> bool:
        """Whether the model call that waits is the one before which the prediction is asked for."""
        if step.pause is None or waiting.agent != step.pause.agent:
            return False
        ended = (entry.of(ModelFinished) for entry in self._runs.sessions.log(name, waiting.session_id))
        return sum(one is not None and one.agent == waiting.agent for one in ended) + 1 == step.pause.call

    def _start(self, pipeline: Pipeline, step: Step) -> str:
        pause = step.pause if isinstance(step, Predict) else None
        person = step.agent if isinstance(step, Play) else pause.agent if pause else ""
        begun = self._runs.start(
            pipeline.name,
            messages_of(step, pipeline)[0],
            model=SIMULATED,
            agent_models={person: YOU} if person else {},
            state=_fresh(pipeline, step),
            faults=faults_of(step),
            is_fresh=bool(_playbooks(pipeline, step)),
        )
        return begun.session_id

    def _goes_on(self, name: str, step: Step, session: str) -> bool:
        """Sends the next message of the step to a session whose run is over; False if all were sent."""
        if not step.run.before or isinstance(step, (Modify, Make)):
            return False
        pipeline = self._runs.catalog.get(name)
        messages = messages_of(step, pipeline)
        started = (entry.of(RunStarted) for entry in self._runs.sessions.log(name, session))
        sent = sum(one is not None and not one.resumed for one in started)
        if sent < len(messages):
            self._runs.start(
                name,
                messages[sent],
                session_id=session,
                model=SIMULATED,
                agent_models={step.agent: YOU} if isinstance(step, Play) else {},
                faults=faults_of(step),
                is_fresh=bool(_playbooks(pipeline, step)),
            )
        return sent < len(messages)

    def _same_run(self, name: str, lesson: Lesson, step: Step, done: dict[str, StepProgress]) -> str | None:
        """The run of another step that is the same one: no hidden fault, no pause, nobody who plays."""
        if not _is_plain(step):
            return None
        for other in lesson.steps:
            session = done[other.id].session
            if other.id != step.id and _is_plain(other) and other.run == step.run and session is not None:
                found = self._runs.sessions.find(name, session)
                if found is not None and found.status == "completed":
                    return session
        return None

    def _ended_log(self, name: str, step: Step, done: StepProgress) -> list[LogEntry]:
        if self.stage(name, step, done) != "ended" or done.session is None:
            raise LessonError("The run of this step has not ended. Start it, and wait for its end.")
        return self._runs.sessions.log(name, done.session)

    def _run_copy(self, pipeline: Pipeline, step: Modify | Make, done: StepProgress) -> list[CaseRun]:
        """The run of what the learner has changed, and those with hidden messages."""
        copy, catalog = "", self._runs.catalog
        if has_copy(step):
            copy, catalog = self.copies.name(pipeline, step), self.copies.catalog

        async def run(_: Services) -> list[CaseRun]:
            return await StepRunner(catalog, pipeline).built(step, of=copy, state=done.controls)

        try:
            return self._runs.work(run, action=Action.LEARN)
        except PlaygroundError as error:  # the copy cannot be loaded
            return [CaseRun(error=str(error))]

    def _keep(self, pipeline: Pipeline, step: Step, run: CaseRun) -> str | None:
        """Keeps the run of a copy as a session of the learner's, shown as one of the lesson's pipeline."""

        async def keep(services: Services) -> Any:
            title = f"{pipeline.card.title}: {step.title or step.id}"
            return await keep_log(services.sessions, run, app_name=pipeline.name, user_id=self.learner.id, title=title)

        return self._runs.in_store(keep, action=Action.LEARN)


def _playbooks(pipeline: Pipeline, step: Step) -> list[str]:
    """The keys under which a step names a playbook."""
    keys = (control.key for control in pipeline.card.controls if control.kind == "playbook")
    return [key for key in keys if step.run.settings.get(key)]


def _fresh(pipeline: Pipeline, step: Step) -> dict[str, JsonValue]:
    """The settings of a run. A playbook belongs to all sessions, so each run of a lesson has one of its own."""
    own = {key: f"{step.run.settings[key]}_{token_hex(4)}" for key in _playbooks(pipeline, step)}
    return {**step.run.settings, **own}


def _is_plain(step: Step) -> bool:
    return isinstance(step, Investigate) or (isinstance(step, Predict) and step.pause is None)
