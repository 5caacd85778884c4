"""The lines of a text file, one at a time, however large the file or a line is."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from agents.errors import DataSetError
from agents.storage.given_file import open_given

MAX_LINE_BYTES = 1_000_000
"""Longest line."""

_BOM = b"\xef\xbb\xbf"
_OTHER = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"\x1f\x8b": "a gzip archive",
    b"SQLite format 3\x00": "a database",
    b"%PDF": "a PDF",
}


class LineError(Exception):
    """A line is no text, or too long. Reading goes on after it.

    Attributes:
        raw: The bytes that are no text.
    """

    def __init__(self, why: str, raw: bytes = b"") -> None:
        super().__init__(why)
        self.raw = raw


class Lines:
    """An iterator over the lines of a text file, without their line ends. A context manager.

    A line that is no text raises `LineError`, and the next one follows.

    Attributes:
        number: Of the newest line, from 1.
    """

    def __init__(self, path: Path, encoding: str = "utf-8") -> None:
        """Opens the file.

        Raises:
            DataSetError: It cannot be opened, or is something else than text.
        """
        self.number = 0
        self._encoding = encoding
        try:
            self._file = open_given(path)
        except OSError as error:
            raise DataSetError(f"{path.name} cannot be read: {error.strerror}. Check its name and permissions.") from None
        start = self._file.read(16)
        for magic, kind in _OTHER.items():
            if start.startswith(magic):
                self._file.close()
                raise DataSetError(f"{path.name} is {kind}, not text in UTF-8. Export or save it as UTF-8 first.")
        self._file.seek(len(_BOM) if start.startswith(_BOM) else 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        raw = self._file.readline(MAX_LINE_BYTES + 1)
        if not raw:
            raise StopIteration
        self.number += 1
        if len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
            while (more := self._file.readline(MAX_LINE_BYTES)) and not more.endswith(b"\n"):
                pass
            raise LineError(f"it is longer than {MAX_LINE_BYTES:,} bytes.")
        try:
            return raw.removesuffix(b"\n").removesuffix(b"\r").decode(self._encoding)
        except UnicodeDecodeError as error:
            raise LineError(f"byte {error.start + 1} is not UTF-8.", raw) from None
