"""Vectors of texts from an embedder, and their cosine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import mul

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Gives vectors of texts: as many as texts, all of one length."""


def unit_vectors(embed: Embed, texts: Sequence[str]) -> list[list[float]]:
    """The directions of the texts' vectors: what they are compared by.

    Raises:
        ValueError: The embedder gave another number of vectors.
    """
    vectors = embed(texts)
    if len(vectors) != len(texts):
        raise ValueError(f"The embedder gave {len(vectors)} vectors for {len(texts)} texts. It must give one for each.")
    return [_of_length_one(vector) for vector in vectors]


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Of the angle between two unit vectors: 1 where they point the same way."""
    return sum(map(mul, a, b))


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else list(vector)
