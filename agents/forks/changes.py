"""Changes: what is different in a counterfactual run. Each is a frozen value with a `kind`, and JSON both ways."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from agents.runtime.fault import Fault

_LONGEST = 40
"""Characters of a value in words; a longer one is cut."""


class _Change(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def describe(self) -> str:
        """The change in a few words."""
        raise NotImplementedError


class MessageChange(_Change):
    """Another message from the user in place of the one at the cut; the run begins anew with it."""

    kind: Literal["message"] = "message"
    text: str = Field(min_length=1)

    def describe(self) -> str:
        return f"another message, {_quoted(self.text)}"


class StateChange(_Change):
    """A state key set to another value, after the event at the cut."""

    kind: Literal["state"] = "state"
    key: str = Field(min_length=1)
    value: Any

    def describe(self) -> str:
        """The change in a few words; a value that other sessions share is left out, as an export of this one may do."""
        return f"state {self.key}" if ":" in self.key else f"state {self.key} = {_as_json(self.value)}"


class InstructionChange(_Change):
    """Another instruction for one agent, after the event at the cut."""

    kind: Literal["instruction"] = "instruction"
    agent: str
    text: str

    def describe(self) -> str:
        return f"instruction of {self.agent}"


class ModelChange(_Change):
    """Another model for one agent or, with `agent` left out, for all that name none, after the event at the cut."""

    kind: Literal["model"] = "model"
    model: str = Field(min_length=1)
    agent: str | None = None

    def describe(self) -> str:
        return f"model {self.model} for {self.agent}" if self.agent else f"model {self.model}"


class AnswerChange(_Change):
    """Another answer of the model in place of the one at the cut: a text, or calls of tools.

    Attributes:
        text: What the model says; may be empty if there are calls.
        calls: Calls as (tool, arguments).
    """

    kind: Literal["answer"] = "answer"
    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()

    def describe(self) -> str:
        if not self.text:
            return "another answer"
        return f"another answer, {_quoted(self.text)}"


class ToolResultChange(_Change):
    """Another result of one tool call in place of the one in the event at the cut."""

    kind: Literal["tool_result"] = "tool_result"
    call_id: str
    response: dict[str, Any]

    def describe(self) -> str:
        return f"another tool result, {_as_json(self.response)}"


class PlaybookChange(_Change):
    """Another revision of the playbook, the same one without some bullets, or none, after the event at the cut.

    Attributes:
        revision: The revision; None for the one at the cut.
        without: Ids of bullets to leave out.
        off: Whether it is empty and read-only instead.
    """

    kind: Literal["playbook"] = "playbook"
    revision: int | None = Field(default=None, ge=0)
    without: tuple[str, ...] = ()
    off: bool = False

    def describe(self) -> str:
        if self.off:
            return "playbook off"
        at = "" if self.revision is None else f" at revision {self.revision}"
        without = f" without {', '.join(self.without)}" if self.without else ""
        return f"playbook{at}{without}"


class FaultChange(_Change):
    """The faults to inject after the cut, in place of those of the run."""

    kind: Literal["faults"] = "faults"
    faults: tuple[Fault, ...] = ()

    def describe(self) -> str:
        return f"faults {', '.join(map(str, self.faults))}" if self.faults else "no faults"


Change = Annotated[
    MessageChange
    | StateChange
    | InstructionChange
    | ModelChange
    | AnswerChange
    | ToolResultChange
    | PlaybookChange
    | FaultChange,
    Field(discriminator="kind"),
]
"""Any of them."""

REPLACING = (MessageChange, AnswerChange, ToolResultChange)
"""Changes that replace the event at the cut."""

_CHANGES: TypeAdapter[list[Change]] = TypeAdapter(list[Change])


def changes_to_json(changes: list[Change]) -> list[dict[str, Any]]:
    """Changes as the `forked` record holds them."""
    return _CHANGES.dump_python(changes, mode="json")


def changes_from_json(value: Any) -> list[Change]:
    """The changes of a `forked` record.

    Raises:
        pydantic.ValidationError: They are none.
    """
    return _CHANGES.validate_python(value)


def _quoted(text: str) -> str:
    return f"“{_short(text)}”"


def _as_json(value: Any) -> str:
    return _short(json.dumps(value, ensure_ascii=False, default=str))


def _short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 10 * _LONGEST].split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
