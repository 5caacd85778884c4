"""The answers of the three roles' models: lenient in parsing, bounded in size.

An unusable piece (an unknown tag, an operation without a type) is kept, so that `guard` can reject it with a reason. Only
an answer of another shape altogether does not fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

MOST_TEXT = 20_000
"""Most characters of an explanation; the rest is cut."""
MOST_ANSWER = 50_000
MOST_READ = 200
"""Most items of a list; the rest is left out."""
MOST_PIECE = 4000
"""Most characters of an operation's field. More than a bullet may have, so a text that is too long stays too long."""
MOST_ID = 100
_AROUND_IDS = " \t\r\n[](){}<>\"'`#*,;:"


def _plain(value: Any) -> str:
    """Any JSON value as a text: a text itself, "" for null, else JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value)):
        return "\n".join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False, default=str)


def _text(most: int) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        text = _plain(value)
        return text if len(text) <= most else text[: most - 1] + "…"

    return read


def _texts(value: Any) -> list[str]:
    return [_plain(item)[:MOST_TEXT] for item in _listed(value)[:MOST_READ]]


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(cast("list[Any]", value))
    return [] if value is None or value == "" else [value]


def _bounded(items: list[Any], rest: Callable[[int], Any]) -> list[Any]:
    """The first items; the last one says how many are left out."""
    return items if len(items) <= MOST_READ else [*items[: MOST_READ - 1], rest(len(items) - MOST_READ + 1)]


def plain_id(value: Any) -> str:
    """A bullet's id without a model's additions: "[sai-00001] helpful=4" is "sai-00001"."""
    words = _plain(value)[:MOST_PIECE].strip(_AROUND_IDS).split(maxsplit=1)
    return words[0].rstrip(_AROUND_IDS)[:MOST_ID] if words else ""


def _ids(value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split(",")
    return [found for item in _listed(value)[:MOST_READ] if (found := plain_id(item))]


def _optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


NO_ERROR = "None."
_NO_ERRORS = {"", "none", "no", "no error", "no errors", "no mistake", "nothing", "nothing is wrong", "n/a", "null"}


def _error(value: Any) -> str:
    """The error; `NO_ERROR` for all ways to say that there is none."""
    text = _text(MOST_TEXT)(value)
    return NO_ERROR if text.strip(" .!*_-\n").casefold() in _NO_ERRORS else text


Explanation = Annotated[str, BeforeValidator(_text(MOST_TEXT))]
BulletId = Annotated[str, BeforeValidator(plain_id)]
BulletIds = Annotated[list[str], BeforeValidator(_ids)]
_Piece = Annotated[str | None, BeforeValidator(_optional(_text(MOST_PIECE)))]


class GeneratorOutput(BaseModel):
    """An answer, with the bullets that it uses."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Annotated[list[str], BeforeValidator(_texts)] = Field(
        default_factory=list[str], description="The steps, in order."
    )
    bullet_ids: BulletIds = Field(
        default_factory=list[str],
        description="Ids of the bullets in the playbook that were really used; empty if there were none.",
    )
    final_answer: Annotated[str, BeforeValidator(_text(MOST_ANSWER))] = Field(description="The answer alone.")

    @model_validator(mode="before")
    @classmethod
    def _has_an_answer(cls, value: Any) -> Any:
        if isinstance(value, dict) and cast("dict[str, Any]", value).get("final_answer", "") is None:
            raise ValueError("final_answer must be a text, not null.")
        return cast("Any", value)


class BulletTag(BaseModel):
    """A bullet's effect on an answer."""

    model_config = ConfigDict(extra="ignore")

    id: BulletId = ""
    tag: Annotated[str, BeforeValidator(lambda value: _plain(value).strip().lower()[:MOST_ID])] = Field(
        default="", description="helpful, harmful or neutral."
    )

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, value: Any) -> Any:
        """Also reads `"sai-00001: helpful"` and `{"bullet_id": …, "tag": …}`."""
        if isinstance(value, dict):
            given = cast("dict[str, Any]", value)
            return {**given, "id": given["bullet_id"]} if "bullet_id" in given and "id" not in given else given
        if isinstance(value, BulletTag):
            return value
        words = _plain(value).replace(":", " ").split()
        return {"id": words[0] if words else "", "tag": words[-1] if len(words) > 1 else ""}


def _tags(value: Any) -> list[Any]:
    """Also reads `{"sai-00001": "helpful"}`."""
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        if "tag" not in given:
            value = [{"id": id_, "tag": tag} for id_, tag in given.items()]
    return _bounded(_listed(value), lambda more: {"id": "…", "tag": f"{more:,} tags more"})


class ReflectorOutput(BaseModel):
    """The error in an answer, its cause, and the effect of the cited bullets."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Explanation = Field(default="", description="How answer and feedback compare.")
    error_identification: Annotated[str, BeforeValidator(_error)] = Field(
        default=NO_ERROR, description='What is wrong; exactly "None." if nothing is.'
    )
    root_cause_analysis: Explanation = Field(default="", description="Why it went wrong.")
    correct_approach: Explanation = Field(default="", description="What leads to the right answer.")
    key_insight: Explanation = Field(default="", description="What to remember for questions like this one.")
    bullet_tags: Annotated[list[BulletTag], BeforeValidator(_tags)] = Field(
        default_factory=list[BulletTag], description="One for each bullet that the answer cites."
    )

    @model_validator(mode="before")
    @classmethod
    def _reflects(cls, value: Any) -> Any:
        if isinstance(value, dict) and not cls.model_fields.keys() & cast("dict[str, Any]", value).keys():
            raise ValueError(f"It has none of {', '.join(cls.model_fields)}.")
        return cast("Any", value)


class CuratorOperation(BaseModel):
    """One change of the playbook."""

    model_config = ConfigDict(extra="ignore")

    type: Annotated[str, BeforeValidator(lambda value: _plain(value).strip().upper()[:MOST_ID])] = Field(
        default="", description="ADD, UPDATE, REMOVE, MERGE or TAG."
    )
    section: _Piece = Field(default=None, description="For ADD.")
    content: _Piece = Field(default=None, description="For ADD, UPDATE and MERGE.")
    bullet_id: Annotated[str | None, BeforeValidator(_optional(plain_id))] = Field(
        default=None, description="For UPDATE, REMOVE and TAG."
    )
    bullet_ids: Annotated[list[str] | None, BeforeValidator(_optional(_ids))] = Field(
        default=None, description="For MERGE: two or more."
    )
    tag: Annotated[str | None, BeforeValidator(_optional(lambda value: _plain(value).strip().lower()[:MOST_ID]))] = Field(
        default=None, description="For TAG: helpful, harmful or neutral."
    )
    reason: _Piece = Field(default=None, description="For REMOVE: why.")

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, value: Any) -> Any:
        """Another value than an object becomes the text of an operation without a type."""
        return cast("Any", value) if isinstance(value, dict | CuratorOperation) else {"type": "", "content": _plain(value)}


class CuratorOutput(BaseModel):
    """The changes of the playbook, and the reason."""

    model_config = ConfigDict(extra="ignore")

    reasoning: Explanation = Field(default="", description="Why these operations, or why none.")
    operations: list[CuratorOperation] = Field(default_factory=list[CuratorOperation])

    @model_validator(mode="before")
    @classmethod
    def _operations(cls, value: Any) -> Any:
        """Also reads a bare list of operations, and a single one."""
        if isinstance(value, list):
            value = {"operations": cast("list[Any]", value)}
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, Any]", value)
        if "operations" not in given:
            if "type" in given:
                given = {"operations": [given]}
            elif "reasoning" not in given:
                raise ValueError("It has no operations; a curator that changes nothing answers with an empty list.")
        operations = _listed(given.get("operations"))
        return {**given, "operations": _bounded(operations, lambda more: {"content": f"… and {more:,} operations more"})}


Output = TypeVar("Output", GeneratorOutput, ReflectorOutput, CuratorOutput)


def role_output(value: Any, schema: type[Output]) -> Output | None:
    """A role's output in state; None if it is missing or has another shape."""
    try:
        return None if value is None else schema.model_validate(value)
    except ValidationError:
        return None
