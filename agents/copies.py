"""Copies of pydantic models with some fields replaced, for what is copied at every step of every run.

`model_copy(update=…)` does the same and takes half as long again: it copies one by one what a model keeps beside its
fields. Knows no model in particular.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

_SET = object.__setattr__


def copy_with(model: Model, /, **values: Any) -> Model:
    """A shallow copy of `model` with `values` in place of its own; they are not checked.

    Args:
        model: What is copied; not changed. It may have neither extra fields nor private attributes.
        values: Fields by name.
    """
    made: Model = object.__new__(type(model))
    _SET(made, "__dict__", {**model.__dict__, **values})
    _SET(made, "__pydantic_fields_set__", model.__pydantic_fields_set__ | values.keys())
    _SET(made, "__pydantic_extra__", None)
    _SET(made, "__pydantic_private__", None)
    return made
