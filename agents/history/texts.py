"""The texts that a log entry refers to by their hash.

Functions over an entry's kind and its body as a dictionary, which they change in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from agents.records import ModelFinished, ModelStarted

_TEXTS = {
    ModelStarted.kind: ("instruction", "config", "declarations", "schema"),
    ModelFinished.kind: ("answer",),
}
"""Fields that hold the hash of a text."""


def rename_texts(kind: str, body: dict[str, Any], names: Mapping[str, str]) -> None:
    """Replaces the hashes of texts."""
    for held, field in _texts(kind, body):
        held[field] = names.get(held[field], held[field])


def texts_in(kind: str, body: dict[str, Any]) -> Iterator[str]:
    """The hashes of the texts that an entry refers to."""
    for held, field in _texts(kind, body):
        yield held[field]


def _texts(kind: str, body: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    for field in _TEXTS.get(kind, ()):
        if isinstance(body.get(field), str):
            yield body, field
    if kind == ModelStarted.kind and isinstance(contents := body.get("contents"), dict):
        fields = cast("dict[str, Any]", contents)
        if isinstance(fields.get("text"), str):
            yield fields, "text"
