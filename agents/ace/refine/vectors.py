"""Vectors of texts from an embedder, and their cosine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import mul

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""An embedder: gives one vector a text, all of one length."""


def unit_vectors(embed: Embed, texts: Sequence[str]) -> list[list[float]]:
    """The unit vectors of texts.

    Raises:
        ValueError: The embedder gave another number of vectors.
    """
    vectors = embed(texts)
    if len(vectors) != len(texts):
        raise ValueError(f"The embedder gave {len(vectors)} vectors for {len(texts)} texts. It must give one for each.")
    return [_of_length_one(vector) for vector in vectors]


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """The cosine of the angle between two unit vectors."""
    return sum(map(mul, a, b))


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else list(vector)
