"""Expectations: what a case asks of the events of a session. Each is a frozen value with a `kind`, and JSON both ways.

Pure values; `verdict` compares them with a session.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Expectation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def describe(self) -> str:
        """The expectation in a few words."""
        raise NotImplementedError


class _OfAnswer(_Expectation):
    """An expectation of the answer of one agent; with `agent` empty, of the session's last answer."""

    agent: str = ""

    def _answer(self) -> str:
        return f"the answer of {self.agent}" if self.agent else "the answer"


class AnswerContains(_OfAnswer):
    """The answer contains a text."""

    kind: Literal["answer_contains"] = "answer_contains"
    text: str = Field(min_length=1)

    def describe(self) -> str:
        return f"{self._answer()} contains “{self.text}”"


class AnswerEquals(_OfAnswer):
    """The answer is a text; space around it does not count."""

    kind: Literal["answer_equals"] = "answer_equals"
    text: str

    def describe(self) -> str:
        return f"{self._answer()} is “{self.text}”"


class AnswerNumber(_OfAnswer):
    """The answer has a number close to one."""

    kind: Literal["answer_number"] = "answer_number"
    value: float
    tolerance: float = Field(default=0.0, ge=0)

    def describe(self) -> str:
        around = f" ± {self.tolerance:g}" if self.tolerance else ""
        return f"{self._answer()} has the number {self.value:g}{around}"


class AnswerMatches(_OfAnswer):
    """The whole answer matches a pattern: `*` stands for any text, everything else for itself."""

    kind: Literal["answer_matches"] = "answer_matches"
    pattern: str = Field(min_length=1)

    def describe(self) -> str:
        return f"{self._answer()} matches “{self.pattern}”"


class AgentsInOrder(_Expectation):
    """Agents say something in this order; others may do so in between."""

    kind: Literal["agents_in_order"] = "agents_in_order"
    agents: tuple[str, ...] = Field(min_length=1)

    def describe(self) -> str:
        return f"agents in order: {', '.join(self.agents)}"


class ToolCalled(_Expectation):
    """A tool is called.

    Attributes:
        tool: Its name.
        args: Arguments that the call has; it may have others.
        agent: Who calls it; "" for any agent.
    """

    kind: Literal["tool_called"] = "tool_called"
    tool: str = Field(min_length=1)
    args: dict[str, Any] = Field(default_factory=dict[str, Any])
    agent: str = ""

    def describe(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.args.items())
        by = f" by {self.agent}" if self.agent else ""
        return f"{self.tool}({given}) is called{by}"


class LoopEnded(_Expectation):
    """A loop ends, each time that it runs.

    Attributes:
        loop: The loop agent's name.
        by: The agent that ended it, or the reason, e.g. "max_iterations"; "" for any.
        within: Most passes; None for any number.
    """

    kind: Literal["loop_ended"] = "loop_ended"
    loop: str = Field(min_length=1)
    by: str = ""
    within: int | None = Field(default=None, ge=0)

    def describe(self) -> str:
        by = f" by {self.by}" if self.by else ""
        within = "" if self.within is None else f" within {self.within} pass{'' if self.within == 1 else 'es'}"
        return f"{self.loop} ends{by}{within}"


class StateEquals(_Expectation):
    """A state key has a value at the end."""

    kind: Literal["state_equals"] = "state_equals"
    key: str = Field(min_length=1)
    value: Any

    def describe(self) -> str:
        return f"state {self.key} is {self.value!r}"


class Judge(_OfAnswer):
    """A model says that the answer fulfils a rubric. The gate of a playbook does not ask it.

    Attributes:
        rubric: What the answer has to fulfil.
        model: The judge; "" for the model of the check.
    """

    kind: Literal["judge"] = "judge"
    rubric: str = Field(min_length=1)
    model: str = ""

    def describe(self) -> str:
        return f"{self._answer()} fulfils “{self.rubric}”"


class AtMost(_Expectation):
    """The session takes no more than this.

    Attributes:
        calls: Model calls.
        cost: US dollars, by the price table.
        seconds: Time of its runs.
    """

    kind: Literal["at_most"] = "at_most"
    calls: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _limits_something(self) -> Self:
        if self.calls is None and self.cost is None and self.seconds is None:
            raise ValueError("give at least one of calls, cost and seconds")
        return self

    def describe(self) -> str:
        limits = [
            f"{self.calls} calls" if self.calls is not None else "",
            f"${self.cost:g}" if self.cost is not None else "",
            f"{self.seconds:g} s" if self.seconds is not None else "",
        ]
        return f"at most {', '.join(filter(None, limits))}"


Expectation = Annotated[
    AnswerContains
    | AnswerEquals
    | AnswerNumber
    | AnswerMatches
    | AgentsInOrder
    | ToolCalled
    | LoopEnded
    | StateEquals
    | Judge
    | AtMost,
    Field(discriminator="kind"),
]
"""Any of them."""
