"""A stand-in for the model hub: serves files on loopback as the hub does, with what can go wrong on the way.

    with HubStandIn() as hub:
        hub.has("owner/repo/model.gguf", data)
        … HF_ENDPOINT=hub.url …

The hub's own answer is a redirect that names the checksum; the bytes come from elsewhere, in ranges if they are asked for.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from tests.standins.server import CUT, Answer, Mark, Received, StandIn

_RESOLVE = re.compile(r"/(?P<repository>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")
_STORE = "/store/"
NO_FILE, GATED, TROUBLE = 404, 401, 503


@dataclass(frozen=True)
class Held:
    """A file of the hub.

    Attributes:
        data: Its bytes.
        sum: The checksum that the hub names; None for none.
        status: What the hub answers in place of it; 0 for the file.
        cut_after: Where the connection is dropped; None for nowhere.
        ranges: Whether parts of it can be asked for.
        redirects: Whether it lies elsewhere.
        size: The size that is announced; None for the true one, "" for none.
        store_etag: What the server that has the bytes calls its ETag.
    """

    data: bytes
    sum: str | None = None
    status: int = 0
    cut_after: int | None = None
    ranges: bool = True
    redirects: bool = True
    size: str | None = None
    store_etag: str = '"an-etag-of-the-store"'


@dataclass
class HubStandIn(StandIn):
    """The server."""

    files: dict[str, Held] = field(default_factory=dict)

    def reset(self) -> None:
        super().reset()
        self.files.clear()

    def has(self, path: str, data: bytes, **held: object) -> str:
        """Puts a file on the hub; gives its true checksum, which is named unless `sum` says otherwise."""
        checksum = hashlib.sha256(data).hexdigest()
        self.files[path] = replace(Held(data, sum=checksum), **held)
        return checksum

    def change(self, path: str, **held: object) -> None:
        """Changes what goes wrong with a file."""
        self.files[path] = replace(self.files[path], **held)

    @property
    def ranges(self) -> list[str | None]:
        """The ranges that were asked for, where the bytes are."""
        return [received.headers.get("range") for received in self.received if _is_of_bytes(received)]

    def on_wire(self, answer: Answer, received: Received) -> tuple[str, Iterable[bytes | Mark]]:
        return "application/octet-stream", [step for step in answer.steps if not isinstance(step, dict)]

    def own_answer(self, received: Received) -> Answer | None:
        path = unquote(received.path)
        if path.startswith(_STORE):
            return _bytes_of(self.files[path.removeprefix(_STORE)], received)
        found = _RESOLVE.fullmatch(path)
        held = self.files.get(f"{found['repository']}/{found['file']}") if found else None
        if found is None or held is None:
            return Answer((b"Entry not found",), NO_FILE)
        if held.status:
            return Answer((b"{}",), held.status)
        if not held.redirects:
            return _bytes_of(held, received)
        named = (("x-linked-etag", f'"{held.sum}"'),) if held.sum else ()
        elsewhere = f"{self.url}{_STORE}{found['repository']}/{found['file']}"
        return Answer((b"",), 302, (("location", elsewhere), ("content-length", "0"), *named))


def _is_of_bytes(received: Received) -> bool:
    return received.path.startswith(_STORE)


def _bytes_of(held: Held, received: Received) -> Answer:
    asked = re.fullmatch(r"bytes=(\d+)-", received.headers.get("range", ""))
    begin = int(asked[1]) if asked and held.ranges else 0
    if begin and begin >= len(held.data):
        return Answer((b"",), 416, (("content-length", "0"),))
    rest = held.data[begin:]
    etag = f'"{held.sum}"' if held.sum and not held.redirects else held.store_etag
    headers = [("etag", etag)]
    if (size := str(len(rest)) if held.size is None else held.size) != "":
        headers.append(("content-length", size))
    if begin:
        headers.append(("content-range", f"bytes {begin}-{len(held.data) - 1}/{len(held.data)}"))
    if held.cut_after is not None and held.cut_after > begin:
        return Answer((rest[: held.cut_after - begin], CUT), 206 if begin else 200, tuple(headers))
    return Answer((rest,), 206 if begin else 200, tuple(headers))
