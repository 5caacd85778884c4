"""Downloads one file from a hub with Hugging Face's protocol: follows redirects, resumes, compares the checksum.

The hub names the file's SHA-256 in `X-Linked-ETag`, on its own answer. The ETag of the server that it redirects to may be
anything and is ignored.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx2

from agents.errors import ModelFileError
from agents.models.local.catalogue import HubFile

_STEP = 1024 * 1024
_SPARE = 50_000_000  # bytes that stay free on the disk
_MILLION = 1_000_000
_MOST_REDIRECTS = 5
_SUM = re.compile(r'(?:W/)?"?([0-9a-f]{64})"?')
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")

_PARTIAL, _BEYOND = 206, 416

Progress = Callable[[int, int], object]
"""Told how many bytes there are, and how many there will be."""


class Download:
    """One try to fetch a file, asking the hub when it is first needed.

    Args:
        wanted: The file.
        part: Where it is put until it is whole.
    """

    def __init__(self, wanted: HubFile, part: Path) -> None:
        self.part = part
        self._wanted = wanted
        self._sum: str | None = None
        self._asked = False
        self._client = httpx2.Client(
            follow_redirects=True,
            max_redirects=_MOST_REDIRECTS,
            timeout=httpx2.Timeout(30.0, connect=10.0),
            headers={"User-Agent": "agent-playground", "Accept-Encoding": "identity"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def offered_sum(self) -> str | None:
        """The checksum that the hub gives; None where it gives none."""
        if not self._asked:
            with self._answer(0):
                pass  # its headers are enough
        return self._sum

    def fetch(self, progress: Progress) -> str:
        """Fetches what is missing of the file.

        Args:
            progress: Told how far it is.

        Returns:
            Its checksum.

        Raises:
            ModelFileError: It cannot be had, or not whole, or is not what it should be.
        """
        held = self.part.stat().st_size if self.part.exists() else 0
        known_bytes = self._wanted.file_bytes
        if known_bytes is not None and held == known_bytes:
            return self._verified(_digest_of(self.part).hexdigest())
        with self._answer(held) as response:
            is_lost = response.status_code == _BEYOND or not (self._wanted.sha256 or self._sum)
            if held and is_lost:  # there is more than there should be, or nothing tells whether the rest belongs to it
                self.part.unlink()
                return self.fetch(progress)
            begin, total = self._extent(response, held)
            self._require_space(total - begin)
            digest = _digest_of(self.part) if begin else hashlib.sha256()
            self._write(response, begin, total, digest.update, progress)
        return self._verified(digest.hexdigest())

    @contextmanager
    def _answer(self, begin: int) -> Generator[httpx2.Response]:
        headers = {"Range": f"bytes={begin}-"} if begin else {}
        try:
            with self._client.stream("GET", self._wanted.url, headers=headers) as response:
                self._look_at(response)
                yield response
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unreachable(error) from error

    def _look_at(self, response: httpx2.Response) -> None:
        """Takes note of what the hub says of the file.

        Raises:
            ModelFileError: It refuses, or has another file than the one that is wanted.
        """
        self._asked = True
        if response.status_code >= 400 and response.status_code != _BEYOND:  # noqa: PLR2004  where errors begin
            raise self._refused(response.status_code)
        first = response.history[0] if response.history else response
        if first.url.scheme == "https" and response.url.scheme != "https":
            raise ModelFileError(f"{self._wanted.shown_url} redirects to an address without encryption. {self._by_hand()}")
        for answer in (*response.history, response):
            same_server = answer.url.host == first.url.host
            given = answer.headers.get("X-Linked-ETag") or (answer.headers.get("ETag") if answer is first else None)
            if same_server and given and (found := _SUM.fullmatch(given)):
                self._sum = found[1]
                break
        if self._sum and self._wanted.sha256 and self._sum != self._wanted.sha256:
            raise ModelFileError(
                f"The hub has another file at {self._wanted.shown_url}: its SHA-256 is {self._sum}, and "
                f"{self._wanted.sha256} is expected. Nothing was fetched. {self._by_hand()}"
            )

    def _extent(self, response: httpx2.Response, held: int) -> tuple[int, int]:
        """Where the answer begins in the file, and how long the whole is."""
        length = response.headers.get("Content-Length", "")
        if response.status_code == _PARTIAL:
            found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
            begin, total = (int(found[1]), int(found[2])) if found else (-1, 0)
        else:
            begin, total = 0, int(length) if length.isdecimal() else 0
        expected = self._wanted.file_bytes
        if begin not in (0, held) or total <= begin or (expected is not None and total != expected):
            said = f"{total} bytes" if total else "no size"
            raise ModelFileError(
                f"The answer from {self._wanted.shown_url} cannot be right: it has {said}"
                f"{f', and {expected} are expected' if expected else ''}. {self._by_hand()}"
            )
        return begin, total

    def _require_space(self, needed: int) -> None:
        free = shutil.disk_usage(self.part.parent).free
        if needed + _SPARE > free:
            raise ModelFileError(
                f"{self._wanted.file} needs {_size(needed)} more on the disk, and {_size(free)} are free in "
                f"{self.part.parent}. Make room, or name another folder with PLAYGROUND_MODELS."
            )

    def _write(
        self, response: httpx2.Response, begin: int, total: int, seen: Callable[[bytes], object], progress: Progress
    ) -> None:
        done = begin
        with self.part.open("ab" if begin else "wb") as file:
            progress(done, total)
            try:
                for piece in response.iter_raw():  # as they come: larger ones would be lost with a connection
                    done += len(piece)
                    if done > total:
                        break
                    file.write(piece)
                    seen(piece)
                    progress(done, total)
            except httpx2.HTTPError as error:
                file.flush()
                raise self._cut(done, total) from error
            file.flush()
            os.fsync(file.fileno())
        if done != total:
            raise self._cut(min(done, total), total)

    def _verified(self, found: str) -> str:
        expected = self._wanted.sha256 or self._sum
        if expected and found != expected:
            self.part.unlink()
            raise ModelFileError(
                f"What came from {self._wanted.shown_url} is not the file that was wanted: its SHA-256 is {found}, and "
                f"{expected} is expected. Nothing was kept. Run the command again; if it stays so, something between here "
                "and the hub changes what is sent."
            )
        return found

    def _by_hand(self) -> str:
        checksum = self._wanted.sha256 or self._sum
        compared = f" (SHA-256 {checksum})" if checksum else ""
        return (
            f"Fetch {self._wanted.shown_url}{compared} in another way and put it where it belongs, as "
            f"{self._wanted.target}; then use it as local/{self._wanted.name}."
        )

    def _refused(self, status: int) -> ModelFileError:
        match status:
            case 401 | 403:
                why = "there is no such repository, or it is not for everybody: log in to the hub, accept its terms"
            case 404:
                why = "there is no such file"
            case 429:
                why = "too much was asked for; wait and run the command again"
            case _:
                why = "it has trouble; run the command again later, it goes on where it was"
        return ModelFileError(f"The hub does not give {self._wanted.file} ({status}): {why}. {self._by_hand()}")

    def _unreachable(self, error: Exception) -> ModelFileError:
        return ModelFileError(
            f"The model hub cannot be reached ({type(error).__name__}), so {self._wanted.file} was not fetched. Check the "
            f"network and HF_ENDPOINT, if it is set. Or, without the hub: {self._by_hand()}"
        )

    def _cut(self, done: int, total: int) -> ModelFileError:
        return ModelFileError(
            f"The connection was cut after {_size(done)} of {_size(total)} of {self._wanted.file}. Run the command again: "
            "it goes on from there."
        )


def _digest_of(path: Path) -> Any:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_STEP):
            digest.update(piece)
    return digest


def _size(count: int) -> str:
    return f"{count / _MILLION:,.0f} MB"
