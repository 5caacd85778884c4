"""The lines of a file in whatever encoding: UTF-8, UTF-16, or Windows-1252 line by line."""

from __future__ import annotations

import codecs
import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, cast

from pydantic_core import from_json

from agents.storage.given_file import WESTERN
from agents.storage.sessions.incoming import storable

LONGEST = 32 * 1024 * 1024
"""Most bytes of a line; what is longer comes in pieces, none of which can be read."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Line(NamedTuple):
    """A line of a file.

    Attributes:
        number: From 1.
        raw: Its bytes in UTF-8.
        value: The JSON object that it is; None if it is none.
    """

    number: int
    raw: bytes
    value: dict[str, Any] | None

    @property
    def text(self) -> str:
        """The line as text."""
        return self.raw.decode("utf-8", "replace")


class Lines:
    """An iterator over the lines of a file that are not blank.

    Args:
        file: The file, at its beginning.

    Attributes:
        bytes: How many bytes of text were read so far.
        encodings: How many lines were in another encoding than UTF-8.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.bytes = 0
        self.encodings: Counter[str] = Counter()
        start = file.read(3)
        file.seek(3 if start == codecs.BOM_UTF8 else 0)
        self._text = None
        if start.startswith(_UTF_16):
            self._text = io.TextIOWrapper(cast("Any", file), encoding="utf-16", errors="replace", newline="\n")
        self._file = file

    def __iter__(self) -> Iterator[Line]:
        number = 0
        while raw := self._next():
            number += 1
            self.bytes += len(raw)
            if raw := raw.strip():
                yield self._line(number, raw)
        if self._text is not None:
            self._text.detach()

    def _next(self) -> bytes:
        if self._text is None:
            return self._file.readline(LONGEST)
        text = self._text.readline(LONGEST // 4)
        self.encodings["UTF-16"] += bool(text)
        return text.encode("utf-8", "replace")

    def _line(self, number: int, raw: bytes) -> Line:
        if not raw.isascii():
            raw = self._as_utf8(raw)
        return Line(number, raw, loaded(raw))

    def _as_utf8(self, raw: bytes) -> bytes:
        try:
            raw.decode()
        except UnicodeDecodeError:
            self.encodings["Windows-1252"] += 1
            return raw.decode(WESTERN, "replace").encode()
        return raw


def loaded(raw: bytes) -> dict[str, Any] | None:
    """The JSON object of a line; None if it is none. Half a surrogate pair in a text becomes U+FFFD."""
    if not raw.startswith(b"{"):
        return None
    with suppress(ValueError):
        return from_json(raw)
    try:  # half a surrogate pair, which no encoding can hold, is refused there
        return cast("dict[str, Any]", _storable(json.loads(raw)))
    except (ValueError, RecursionError):
        return None


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {storable(key): _storable(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
