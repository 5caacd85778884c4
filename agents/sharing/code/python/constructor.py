"""How an object can be made anew: from the arguments that it keeps."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from typing import Any, cast


def constructor_arguments(value: Any) -> dict[str, Any] | None:
    """The arguments that make an equal object: of a dataclass, a named tuple, or an object that keeps just its arguments.

    None for any other object.
    """
    kind = cast("type[Any]", type(value))
    if is_dataclass(kind):
        return {one.name: getattr(value, one.name) for one in fields(kind) if one.init}
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return dict(zip(getattr(kind, "_fields"), cast("tuple[Any, ...]", value), strict=True))
    attributes = cast("dict[str, Any] | None", getattr(cast("Any", value), "__dict__", None))
    if kind.__init__ is object.__init__ or attributes is None:
        return None
    wanted = list(inspect.signature(kind.__init__).parameters)[1:]
    return dict(attributes) if wanted == list(attributes) else None
