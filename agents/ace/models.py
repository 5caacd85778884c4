"""`Bullet` as a pydantic model, for code that makes its own bullets, and the pydantic interface of `Playbook`.

A playbook holds `StoredBullet` values; `Bullet.model_validate` takes one of them, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from agents.ace.bullet import TAGS, StoredBullet
from agents.ace.operations import DeltaBatch, TagName


class Bullet(BaseModel):
    """One piece of knowledge.

    Attributes:
        id: Its id; the store gives one to a bullet that is added.
        section: Name of its section.
        content: Its text.
        helpful: Number of helpful tags: feedback said that it helped.
        harmful: Number of harmful tags: feedback said that it harmed.
        neutral: Number of neutral tags: used without such feedback.
        created_at: Seconds since the epoch.
        updated_at: Seconds since the epoch, of the last change of its text.
        created_by: Who submitted it.
        updated_by: Who changed its text last.
        last_cited: As in `StoredBullet`.
        archived: Whether it is left out of prompts.
        merged_from: The bullets that it was made of.
        place: As in `StoredBullet`.
        helpful_before: As in `StoredBullet`.
        harmful_before: As in `StoredBullet`.
    """

    model_config = ConfigDict(extra="ignore", validate_assignment=True)

    id: str
    section: str
    content: str
    helpful: int = Field(default=0, ge=0)
    harmful: int = Field(default=0, ge=0)
    neutral: int = Field(default=0, ge=0)
    created_at: float = 0.0
    updated_at: float = 0.0
    created_by: str = ""
    updated_by: str = ""
    last_cited: int = 0
    archived: bool = False
    merged_from: tuple[str, ...] = ()
    place: int = 0
    helpful_before: int = 0
    harmful_before: int = 0

    def __init__(self, *values: Any, **named: Any) -> None:
        """Takes its fields by name, or in their order."""
        super().__init__(**dict(zip(type(self).model_fields, values, strict=False)), **named)

    def __eq__(self, other: object) -> bool:
        """Equal to a `Bullet` or `StoredBullet` with the same fields."""
        if not isinstance(other, Bullet | StoredBullet):
            return NotImplemented
        return as_stored(self) == as_stored(other)

    def __hash__(self) -> int:
        return hash(as_stored(self))

    @model_validator(mode="before")
    @classmethod
    def _of_stored(cls, value: Any) -> Any:
        return value._asdict() if isinstance(value, StoredBullet) else value

    def tag(self, tag: TagName, increment: int = 1) -> Self:
        """Counts a tag, and returns the bullet.

        Raises:
            ValueError: It is none of "helpful", "harmful" and "neutral", or the count would be negative.
        """
        if tag not in TAGS:
            raise ValueError(f"{tag!r} is no tag: it must be one of {', '.join(TAGS)}.")
        setattr(self, tag, getattr(self, tag) + increment)
        return self


class ModelMethods:
    """The interface of pydantic's models, for a class that reads and writes the dictionary form itself."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """See `Playbook.to_dict`."""
        raise NotImplementedError

    @classmethod
    def model_validate(cls, obj: Any, **_more: Any) -> Self:
        """An unstored playbook from the dictionary form, or a copy of another.

        Raises:
            PlaybookFormatError: It has another shape; the message says where.
        """
        return cast("Any", cls).from_dict(obj)

    @classmethod
    def model_validate_json(cls, json_data: str | bytes, **_more: Any) -> Self:
        """The same from JSON."""
        return cls.model_validate(json.loads(json_data))

    def model_dump(self, **_more: Any) -> dict[str, Any]:
        """The dictionary form."""
        return self.to_dict()

    def model_dump_json(self, *, indent: int | None = None, **_more: Any) -> str:
        """The dictionary form as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A field of this type takes a playbook or the dictionary form, and is written as that."""

        def read(value: Any) -> Any:
            return value if isinstance(value, cls) else cls.model_validate(value)

        written = core_schema.plain_serializer_function_ser_schema(_as_dict)
        return core_schema.no_info_plain_validator_function(read, serialization=written)


def _as_dict(value: Any) -> dict[str, Any]:
    return value.to_dict()


def as_stored(value: Any) -> StoredBullet:
    """A bullet as playbooks keep it: from a model, from a mapping, or as it is."""
    if isinstance(value, StoredBullet):
        return value
    made = value if isinstance(value, Bullet) else Bullet.model_validate(value)
    return StoredBullet(*(getattr(made, name) for name in StoredBullet._fields))


def batch_of(value: DeltaBatch | Mapping[str, Any]) -> DeltaBatch:
    """A batch, or one made from its fields."""
    return value if isinstance(value, DeltaBatch) else DeltaBatch.model_validate(value)
