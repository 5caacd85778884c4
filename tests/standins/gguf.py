"""Small GGUF files, whole and broken: what is written at the beginning of a model file, with no weights behind it."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

_ALIGNMENT = 32


def gguf(
    values: Mapping[str, Any] | None = None,
    tensors: Sequence[tuple[Sequence[int], int]] = (((4, 8), 0),),
    *,
    version: int = 3,
    weights: int = 256,
) -> bytes:
    """A file.

    Args:
        values: Its settings: texts, whole numbers, and lists of one of them.
        tensors: The shape of each, and where its weights begin after the first.
        version: Of the format.
        weights: How many bytes of them there are.
    """
    given = {"general.architecture": "llama", "general.name": "Small"} if values is None else values
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(given))
    head += b"".join(_string(name) + _value(value) for name, value in given.items())
    for number, (shape, offset) in enumerate(tensors):
        head += _string(f"t{number}") + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        head += struct.pack("<IQ", 0, offset)
    return head + b"\0" * (-len(head) % _ALIGNMENT) + b"\1" * weights


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind, write = (8, _string) if isinstance(value[0], str) else (4, lambda number: struct.pack("<I", number))
    return struct.pack("<IIQ", 9, kind, len(value)) + b"".join(write(item) for item in value)
