"""Injected faults: model failures that a user asks for, to see what an agent does then.

A fault says what goes wrong, for which agent or model, and at which of its model calls. `agents.models.faults` applies it.
"""

from __future__ import annotations

import re
from typing import Self, cast

from pydantic import BaseModel, ConfigDict, Field

from agents.errors import FaultError
from agents.log import trace_kinds
from agents.model import FaultKind

EVERYBODY = "*"
EVERY_CALL = 0

FAULT_KINDS = cast("dict[FaultKind, str]", trace_kinds()["fault_injected"].words)
"""Each kind with its effect, as the rest of a sentence about a model."""

USUAL_DELAY = 3.0
"""Length of a delay without a number."""
MOST_SECONDS = 9999.0

_FAULT = re.compile(rf"([^:\s]+):({'|'.join(FAULT_KINDS)})(?::([0-9]{{1,5}}))?")
_SECONDS = re.compile(r"(.+:delay:[0-9]+):([0-9]{1,4}(?:\.[0-9]{1,3})?)")


class Fault(BaseModel):
    """One injected fault.

    Attributes:
        kind: What goes wrong.
        target: Name of an agent or a model; "*" for every agent that calls a model.
        call: Which model call of the target in a run, counted from 1; 0 for every one.
        seconds: For "delay": how long the model is silent.
        hidden: Whether the log says nothing of it, as of a failure that nobody asked for: a lesson has it found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    target: str = EVERYBODY
    call: int = Field(default=1, ge=0)
    seconds: float = Field(default=USUAL_DELAY, ge=0, allow_inf_nan=False)
    hidden: bool = False

    def __str__(self) -> str:
        """The fault as `parse` reads it; a delay of other than the default length has its seconds, in thousandths."""
        text = f"{self.target}:{self.kind}:{self.call}"
        if self.kind != "delay" or self.seconds == USUAL_DELAY:
            return text
        return f"{text}:{min(self.seconds, MOST_SECONDS):.3f}".rstrip("0").rstrip(".")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `TARGET:KIND`, `TARGET:KIND:CALL`, e.g. "Primary:fail_before:1", or `TARGET:delay:CALL:SECONDS`.

        Raises:
            FaultError: It is not of this form.
        """
        slow = _SECONDS.fullmatch(text.strip())
        found = _FAULT.fullmatch(text.strip() if slow is None else slow[1])
        if found is None:
            raise FaultError(
                f"{text!r} is no fault. Write TARGET:KIND or TARGET:KIND:CALL, where TARGET is an agent, a model or *, "
                f"KIND is one of {', '.join(FAULT_KINDS)}, and CALL counts from 1 (0 is every call): Writer:fail_before:2. "
                "A delay may have seconds after its call: Writer:delay:1:5."
            )
        seconds = USUAL_DELAY if slow is None else float(slow[2])
        return cls.model_validate({"target": found[1], "kind": found[2], "call": int(found[3] or 1), "seconds": seconds})
