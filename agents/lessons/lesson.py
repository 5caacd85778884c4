"""A lesson: steps that a learner does on runs of a pipeline, each scored from the log. Pure values, as its file has them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, model_validator

from agents.cases import Expectation, Judge
from agents.errors import FaultError
from agents.lessons.queries import Line, Match, Name, Part, Query
from agents.runtime.fault import Fault

_Text = Annotated[str, Field(min_length=1, max_length=4000)]
_Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")]


def _fault(value: object) -> object:
    try:
        return Fault.parse(value) if isinstance(value, str) else value
    except FaultError as error:
        raise ValueError(str(error)) from None


_Fault = Annotated[Fault, BeforeValidator(_fault)]


def _no_judge(value: Expectation) -> Expectation:
    if isinstance(value, Judge):
        raise ValueError(  # noqa: TRY004  pydantic reports it
            "a lesson is scored without a model: write another expectation than a judge"
        )
    return value


_Expected = Annotated[Expectation, AfterValidator(_no_judge)]


class Choice(Part):
    """One of the answers that a learner chooses from.

    Attributes:
        text: What it says.
        value: What the log's answer is if this one is right; of a list, any of them.
        hint: Shown if it was chosen and is wrong.
    """

    text: Line
    value: JsonValue
    hint: str = Field(default="", max_length=1000)


class _Place(Part):
    """What is changed: a field of an agent's file, or a control of the pipeline."""

    agent: str = Field(default="", max_length=120)
    field: str = Field(default="", max_length=120)
    control: str = Field(default="", max_length=120)

    @model_validator(mode="after")
    def _is_one_place(self) -> Self:
        if bool(self.control) == bool(self.agent and self.field) or bool(self.agent) != bool(self.field):
            raise ValueError("give agent and field, or control")
        return self


class Edit(_Place):
    """A change of a place; without a value the field is taken away."""

    value: JsonValue = None


class EditField(_Place):
    """A place that the lesson's page offers to be changed."""

    label: str = Field(default="", max_length=120)


class SaidCall(Part):
    """A tool call that a learner makes as the model."""

    call: Name
    args: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Answers(Part):
    """What a learner says or calls as the model, call by call; the last is said again."""

    answers: tuple[_Text | SaidCall, ...] = Field(min_length=1, max_length=50)


class Wrong(Part):
    """A known wrong solution: how it is recognised, by exactly one condition, and its hint.

    Attributes:
        hint: Shown when it is recognised.
        answer: Investigate: the answer that was given.
        match: Investigate, find the fault: the entry that was selected matches.
        changed: Modify: this agent, or this control, was changed.
        expect: Modify, make, play: the run fulfils all of these.
        example: A solution that makes the mistake, for the test of the lesson; None for none.
    """

    hint: _Text
    answer: JsonValue = None
    match: Match | None = None
    changed: str = ""
    expect: tuple[_Expected, ...] = ()
    example: tuple[Edit, ...] | Answers | None = None

    @model_validator(mode="after")
    def _has_one_condition(self) -> Self:
        given = [self.answer is not None, self.match is not None, bool(self.changed), bool(self.expect)]
        if sum(given) != 1:
            raise ValueError("give exactly one of answer, match, changed and expect")
        return self


class StepRun(Part):
    """The run that a step is about.

    Attributes:
        before: Messages that are sent first, in the same session, one after the end of the other.
        message: What is sent; "" for the pipeline's first sample.
        settings: State to set, by key.
        faults: Faults that are injected and shown.
    """

    before: tuple[_Text, ...] = Field(default=(), max_length=10)
    message: str = Field(default="", max_length=4000)
    settings: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    faults: tuple[_Fault, ...] = ()


class _Step(Part):
    """What all steps have.

    Attributes:
        id: Names it in its lesson.
        title: A few words.
        text: The task or the question, in Markdown.
        points: What it is worth.
        reveal: Shown once it is solved or given up, in Markdown.
        hints: Shown one by one; each costs a point.
        run: Its run.
        wrong: Known wrong solutions.
    """

    id: _Id
    title: str = Field(default="", max_length=120)
    text: _Text
    points: int = Field(default=1, ge=1, le=20)
    reveal: str = Field(default="", max_length=4000)
    hints: tuple[_Text, ...] = Field(default=(), max_length=10)
    run: StepRun = StepRun()
    wrong: tuple[Wrong, ...] = Field(default=(), max_length=20)


class Pause(Part):
    """Before which model call of an agent a run waits."""

    agent: Name
    call: int = Field(default=1, ge=1, le=50)


_Choices = Annotated[tuple[Choice, ...], Field(min_length=2, max_length=8)]


class Predict(_Step):
    """A question that the log will answer; the run waits for the prediction. There is one try.

    Attributes:
        answer: What the log is asked.
        choices: The answers to choose from.
        pause: Where the run waits; None: it does not start before.
    """

    kind: Literal["predict"]
    answer: Query
    choices: _Choices
    pause: Pause | None = None

    @model_validator(mode="after")
    def _can_be_resumed(self) -> Self:
        if self.pause and self.run.faults:
            raise ValueError("a run with faults cannot pause: remove `pause`, or the faults")
        return self


class FindEntry(Part):
    """An entry of the log; with `number` 0 any that matches, else that one."""

    what: Literal["entry"]
    match: Match
    number: int = Field(default=0, ge=-1, le=1000)


class FindState(Part):
    """A state key of the run's end."""

    what: Literal["state"]
    key: Name


class FindBullet(Part):
    """A bullet that the run was given."""

    what: Literal["bullet"]
    query: Query


class FindPrompt(Part):
    """A state key that filled a place in the instruction of the first model call that matches."""

    what: Literal["prompt"]
    match: Match
    key: Name


class Investigate(_Step):
    """Something to find in a run."""

    kind: Literal["investigate"]
    find: Annotated[FindEntry | FindState | FindBullet | FindPrompt, Field(discriminator="what")]


class _Built(_Step):
    """A step whose solution is a team: `expect` holds on its run; `solution` is the reference, for the lesson's test."""

    expect: tuple[_Expected, ...] = Field(min_length=1)
    solution: tuple[Edit, ...] = Field(default=(), max_length=50)


class Modify(_Built):
    """A change of the pipeline's team.

    Attributes:
        keep: Agents that stay as they are.
        edit: Fields and controls that the page offers.
    """

    kind: Literal["modify"]
    keep: tuple[Name, ...] = ()
    edit: tuple[EditField, ...] = Field(min_length=1, max_length=12)

    @property
    def has_copy(self) -> bool:
        """Whether the learner changes a copy of the team; else controls alone."""
        return any(one.agent for one in self.edit)


class Inputs(Part):
    """Hidden messages, drawn from a list by a seed."""

    texts: tuple[_Text, ...] = Field(alias="from", min_length=1, max_length=200)
    count: int = Field(default=2, ge=1, le=10)
    seed: int = 0


class Make(_Built):
    """An own team.

    Attributes:
        start: The team that it begins with, by its name among `agents.teams.STARTS`.
        inputs: Messages on which `expect` has to hold, too.
        edit: Fields that the page offers; without any the files themselves are edited.
    """

    kind: Literal["make"]
    start: str = "blank"
    inputs: Inputs | None = None
    edit: tuple[EditField, ...] = Field(default=(), max_length=12)


class FindFault(_Step):
    """A hidden fault to find: first the entry where it shows, then its cause.

    Attributes:
        fault: What is injected and not told.
        event: The entries where it shows.
        number: Which of them; 0 for any.
        causes: The causes to choose from.
        cause: The value of the right one.
    """

    kind: Literal["find_fault"]
    fault: _Fault
    event: Match
    number: int = Field(default=0, ge=-1, le=1000)
    causes: _Choices
    cause: JsonValue

    @model_validator(mode="after")
    def _has_its_cause(self) -> Self:
        if all(one.value != self.cause for one in self.causes):
            raise ValueError("no choice of `causes` has the value of `cause`")
        return self


class Play(_Step):
    """The learner is the model of an agent.

    Attributes:
        agent: The agent.
        expect: What holds on the run.
        solution: Reference answers, for the lesson's test.
    """

    kind: Literal["play"]
    agent: Name
    expect: tuple[_Expected, ...] = ()
    solution: Answers | None = None


Step = Annotated[Predict | Investigate | Modify | FindFault | Play | Make, Field(discriminator="kind")]
"""A step of any kind."""


class Lesson(Part):
    """A lesson.

    Attributes:
        title: A few words.
        minutes: How long it takes.
        level: How hard it is.
        goal: What the learner can do afterwards, in Markdown.
        notes: For the teacher, in Markdown; a learner does not see it.
        handout: For the printed handout, in Markdown.
        steps: What is done, in order.
    """

    title: Annotated[str, Field(min_length=1, max_length=120)]
    minutes: int = Field(ge=1, le=120)
    level: Literal["easy", "medium", "hard"]
    goal: _Text
    notes: str = Field(default="", max_length=10_000)
    handout: str = Field(default="", max_length=10_000)
    steps: tuple[Step, ...] = Field(min_length=1, max_length=20)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        times = Counter(step.id for step in self.steps)
        if twice := next((id_ for id_, count in times.items() if count > 1), None):
            raise ValueError(f"two steps have the id {twice!r}")
        return self

    @property
    def points(self) -> int:
        """What all steps are worth."""
        return sum(step.points for step in self.steps)

    def step(self, id_: str) -> Step | None:
        """The step of that id."""
        return next((step for step in self.steps if step.id == id_), None)
