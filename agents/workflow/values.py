"""What nodes give each other: checked against schemas, and as JSON for the log."""

from __future__ import annotations

import json
import logging
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

from google.genai import types
from pydantic import BaseModel, TypeAdapter
from pydantic_core import PydanticSerializationError, to_jsonable_python

from agents.errors import WorkflowDataError

_log = logging.getLogger(__name__)


@lru_cache(maxsize=512)
def _cached(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """What checks values of a type."""
    try:
        return _cached(kind)
    except TypeError:  # a type that has no hash
        return TypeAdapter(kind)


def fitted(schema: Any, data: Any) -> Any:
    """Data as a schema has it, models as dictionaries. A JSON schema is not enforced.

    Raises:
        ValidationError: It does not fit.
    """
    if data is None or schema is None or isinstance(schema, dict | types.Schema):
        return data
    if isinstance(data, types.Content):
        data = payload_of(data, schema)
        if isinstance(data, str) and schema is str:
            return data
    return plain(adapter_of(schema).validate_python(data), exclude_none=True)


def plain(value: Any, *, exclude_none: bool = False) -> Any:
    """A value with its models as dictionaries."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=exclude_none)
    if isinstance(value, list):
        return [plain(item, exclude_none=exclude_none) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: plain(item, exclude_none=exclude_none) for key, item in cast("dict[Any, Any]", value).items()}
    return value


def payload_of(content: types.Content, kind: Any) -> Any:
    """A message as a value for a parameter: its text, or the JSON in it, where the type is no content."""
    if _is_text(kind):
        if any(part.text is None and (part.inline_data or part.file_data) for part in content.parts or ()):
            _log.warning("A function takes a message as text, and its files are left out. Annotate it as types.Content.")
        return text_of(content)
    if _takes_content(kind):
        return content
    text = text_of(content)
    try:
        return json.loads(text)
    except ValueError:
        return text


def items_of(content: types.Content, kind: Any) -> Any:
    """A message as the items for parallel workers: the JSON in it, or its text."""
    if kind is types.Content or not content.parts or any(part.text is None for part in content.parts):
        return content
    text = text_of(content)
    try:
        found: Any = json.loads(text)
    except ValueError:
        return text
    return text if _is_text(kind) and not isinstance(found, list) else cast("Any", found)


def text_of(content: types.Content) -> str:
    """The text of a message, without thoughts."""
    return "".join(part.text for part in content.parts or () if part.text and not part.thought)


def as_message(value: Any) -> types.Content:
    """An input as the message that an agent's model is sent."""
    if isinstance(value, types.Content):
        return types.Content(role="user", parts=value.parts)
    if isinstance(value, BaseModel):
        value = value.model_dump_json()
    elif isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    return types.Content(role="user", parts=[types.Part(text=value if isinstance(value, str) else str(value))])


_PLAIN = (str, int, float, bool)


def as_json(value: Any, node: str) -> Any:
    """An output as the log keeps it.

    Raises:
        WorkflowDataError: JSON cannot hold it.
    """
    if isinstance(value, _PLAIN):
        return value
    try:
        return to_jsonable_python(value, by_alias=False, inf_nan_mode="null")
    except (PydanticSerializationError, RecursionError, ValueError) as error:
        raise WorkflowDataError(
            f"The output of node {node!r} cannot be kept: JSON cannot hold a {type(value).__name__} ({error}). "
            "Give text, numbers, lists and dictionaries of them, or a pydantic model. Of data in bytes save a file, with "
            "`await ctx.save_artifact(name, types.Part.from_bytes(…))`, and give its name."
        ) from None


def _options(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) is Annotated:
        return _options(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return tuple(option for each in get_args(kind) for option in _options(each))
    return (kind,)


def _is_text(kind: Any) -> bool:
    options = _options(kind)
    return str in options and all(each in (str, type(None), types.Content) for each in options)


def _takes_content(kind: Any) -> bool:
    return any(each in (Any, object, types.Content) for each in _options(kind))
