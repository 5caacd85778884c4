"""Reads the header of a GGUF file: enough to list it, to see that it is cut off, and to estimate its memory.

The format is that of ggml's specification of GGUF, versions 2 and 3. Reads no weights. A file may come from anywhere: no
length in it is trusted.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_MOST_ENTRIES = 100_000
_LONGEST_HEAD = 256 * 1024 * 1024
_LONGEST_KEPT = 1024
_STEP = 4 * 1024 * 1024
_LONGEST_NAME = 80
_HALF_FLOAT = 2

_STRING, _ARRAY = 8, 9
_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_BYTES = {kind: struct.calcsize(form) for kind, form in _NUMBERS.items()}


class GgufError(ValueError):
    """A file that is no GGUF file, or not a whole one. The message goes on after "it …"."""


@dataclass(frozen=True, slots=True)
class Gguf:
    """A model file.

    Attributes:
        file_bytes: Its size.
        architecture: The kind of model, e.g. "llama"; "" where it does not say.
        name: What its makers call it; "" where it does not say.
        parameters: How many weights it has.
        context_length: The most tokens that the model was trained to read; None where it does not say.
        token_bytes: Memory that each token of a conversation takes, at half precision; 0 where that is not known.
    """

    file_bytes: int
    architecture: str
    name: str
    parameters: int
    context_length: int | None
    token_bytes: int


class _Stamp(NamedTuple):
    path: Path
    file_bytes: int
    changed: int


def read_gguf(path: Path) -> Gguf:
    """Reads what a file says of itself.

    Raises:
        GgufError: It is no GGUF file, or ends before all its weights begin.
        OSError: It cannot be read.
    """
    found = path.stat()
    return _read(_Stamp(path, found.st_size, found.st_mtime_ns))


@lru_cache(maxsize=64)
def _read(stamp: _Stamp) -> Gguf:
    with stamp.path.open("rb") as file:
        head = _Head(file)
        values = head.values()
        parameters, last = head.tensors()
        if head.data_begins(values.get("general.alignment")) + last >= stamp.file_bytes and parameters:
            raise GgufError("ends before its weights do: it was not copied or fetched to its end")
    architecture = _text(values.get("general.architecture"))
    return Gguf(
        file_bytes=stamp.file_bytes,
        architecture=architecture,
        name=_text(values.get("general.name")),
        parameters=parameters,
        context_length=_count(values.get(f"{architecture}.context_length")) or None,
        token_bytes=_token_bytes(values, architecture),
    )


class _Head:
    """The beginning of a file, read as far as it is looked at."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = bytearray()
        self._at = 0
        if self._take(4) != _MAGIC:
            raise GgufError('is no GGUF file: it does not begin with "GGUF"')
        version = self._integer(4)
        if version not in _VERSIONS:
            raise GgufError(f"is of version {version} of GGUF, and only {' and '.join(map(str, _VERSIONS))} are known")
        self._tensors, self._entries = self._integer(10), self._integer(10)
        if self._entries > _MOST_ENTRIES or self._tensors > _MOST_ENTRIES:
            raise GgufError("is damaged: no model has that many parts")

    def values(self) -> dict[str, object]:
        """The settings by name; long texts and lists are left out. Call it first, then `tensors`, then `data_begins`."""
        found: dict[str, object] = {}
        for _ in range(self._entries):
            name = self._string()
            kind = self._integer(4)
            value = self._string() if kind == _STRING else self._skip_array() if kind == _ARRAY else self._number(kind)
            if name is not None and value is not None:
                found[name] = value
        return found

    def tensors(self) -> tuple[int, int]:
        """How many weights there are, and where the last of them begin, counted from the first."""
        weights, last = 0, 0
        for _ in range(self._tensors):
            self._string()
            dimensions = self._integer(4)
            if not 0 < dimensions <= 4:  # noqa: PLR2004  the format's own limit
                raise GgufError("is damaged: a tensor in it has an impossible shape")
            elements = 1
            for _ in range(dimensions):
                elements *= self._integer(10)
            self._integer(4)
            weights, last = weights + elements, max(last, self._integer(10))
        return weights, last

    def data_begins(self, alignment: object) -> int:
        """Where the first weights begin."""
        unit = _count(alignment) or _ALIGNMENT
        return -(-self._at // unit) * unit

    def _take(self, count: int) -> bytes:
        end = self._at + count
        if end > _LONGEST_HEAD:
            raise GgufError("is damaged: a length in it is impossible")
        while len(self._held) < end:
            more = self._file.read(_STEP)
            if not more:
                raise GgufError("is too short: it ends before its description does")
            self._held += more
        taken = bytes(self._held[self._at : end])
        self._at = end
        return taken

    def _number(self, kind: int) -> float:
        form = _NUMBERS.get(kind)
        if form is None:
            raise GgufError(f"is damaged: nothing is of kind {kind}")
        return struct.unpack(form, self._take(_BYTES[kind]))[0]

    def _integer(self, kind: int) -> int:
        return int(self._number(kind))

    def _string(self) -> str | None:
        """A text; None for one that is too long to be of interest."""
        text = self._take(self._integer(10))
        return text.decode("utf-8", "replace") if len(text) <= _LONGEST_KEPT else None

    def _skip_array(self) -> None:
        kind, count = self._integer(4), self._integer(10)
        if kind == _STRING:
            for _ in range(count):
                self._take(int.from_bytes(self._take(8), "little"))
        elif kind in _BYTES:
            self._take(count * _BYTES[kind])
        else:
            raise GgufError("is damaged: a list in it holds nothing that is known")


def _text(value: object) -> str:
    """One line of printable text: it is shown to users."""
    given = value if isinstance(value, str) else ""
    return " ".join("".join(c if c.isprintable() else " " for c in given).split())[:_LONGEST_NAME]


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _token_bytes(values: dict[str, object], architecture: str) -> int:
    """A key and a value for each head of each layer."""

    def count(name: str) -> int:
        return _count(values.get(f"{architecture}.{name}"))

    heads = count("attention.head_count")
    each = count("embedding_length") // heads if heads else 0
    keys, held = count("attention.key_length") or each, count("attention.value_length") or each
    return count("block_count") * (count("attention.head_count_kv") or heads) * (keys + held) * _HALF_FLOAT
