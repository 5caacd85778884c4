"""What a list of sessions asks its page to do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

Key = tuple[str, str]
_Name = Annotated[str, StringConstraints(min_length=1)]

MOST_SESSIONS = 1000
"""Sessions that one click may change."""


class Act(BaseModel):
    """Something to do.

    Attributes:
        kind: What.
        sessions: To which sessions, by pipeline and id.
        title: The new title.
        add: Tags to add.
        remove: Tags to remove.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["open", "compare", "rename", "tag", "delete"]
    sessions: tuple[tuple[_Name, _Name], ...] = Field(min_length=1, max_length=MOST_SESSIONS)
    title: str = ""
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


def read_act(value: Any) -> Act | None:
    """What a browser asks for; None if it is not well formed: a browser may send anything."""
    try:
        return Act.model_validate(value)
    except ValidationError:
        return None
