"""The fingerprint of samples, and which of them were there before. Both read one sample at a time."""

from __future__ import annotations

import json
from array import array
from hashlib import blake2b, sha256
from typing import NamedTuple

from agents.lab.sample import Sample

_DIGEST = 8
_SMALLEST = 1024
_EMPTY = 0


class Fingerprint:
    """SHA-256 of what is added, in order."""

    def __init__(self, *head: object) -> None:
        self._hash = sha256()
        self._add(head)

    def add(self, sample: Sample) -> None:
        """Adds a sample."""
        self._add([sample.id, sample.question, sample.truth, dict(sorted(sample.labels.items()))])

    def hexdigest(self) -> str:
        """Of what was added so far."""
        return self._hash.hexdigest()

    def _add(self, value: object) -> None:
        self._hash.update(json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")


class Place(NamedTuple):
    """A line of one of several files."""

    file: int
    line: int


class SeenSamples:
    """The samples that were there before, by question and right answer.

    A hash table of 16 bytes an entry, so that ten million samples fit into memory. Two different samples are taken for the
    same one with a probability of 1 in 10⁵ among ten million.
    """

    def __init__(self) -> None:
        self._keys = array("Q", [_EMPTY]) * _SMALLEST
        self._places = array("Q", [_EMPTY]) * _SMALLEST
        self._count = 0

    def __contains__(self, sample: Sample) -> bool:
        """Whether the same question with the same right answer was added."""
        return self._keys[self._slot(_key(sample))] != _EMPTY

    def add(self, sample: Sample, place: Place = Place(0, 0)) -> Place | None:  # noqa: B008  immutable
        """Adds a sample.

        Returns:
            The place of the same sample that was added before; None if there was none.
        """
        key = _key(sample)
        slot = self._slot(key)
        if self._keys[slot] != _EMPTY:
            return Place(*divmod(self._places[slot], 1 << 48))
        self._keys[slot], self._places[slot] = key, (place.file << 48) + place.line
        self._count += 1
        if 2 * self._count > len(self._keys):
            self._grow()
        return None

    def _slot(self, key: int) -> int:
        """The slot of a key, or the free one where it belongs."""
        slots = len(self._keys)
        slot = key % slots
        while self._keys[slot] not in (_EMPTY, key):
            slot = (slot + 1) % slots
        return slot

    def _grow(self) -> None:
        keys, places = self._keys, self._places
        self._keys, self._places = array("Q", [_EMPTY]) * (2 * len(keys)), array("Q", [_EMPTY]) * (2 * len(keys))
        for key, place in zip(keys, places, strict=True):
            if key != _EMPTY:
                slot = self._slot(key)
                self._keys[slot], self._places[slot] = key, place


def _key(sample: Sample) -> int:
    question, truth = " ".join(sample.question.split()), "\0" if sample.truth is None else " ".join(sample.truth.split())
    digest = blake2b(f"{question}\n{truth}".encode(), digest_size=_DIGEST).digest()
    return int.from_bytes(digest, "little") or 1
