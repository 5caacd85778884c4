"""Measures how the cost of reading a text grows with its length: linear passes, anything steeper is reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import process_time
from typing import NamedTuple

from tests.architecture.hostile_text import Attack, framed

STEEPEST = 3.0
"""Cost at 2n over cost at n: 2 is linear, 4 is quadratic."""
LARGEST = 4096
"""Characters. A quadratic costs 4 ms and more here, most linear patterns less than a quarter of a millisecond."""

LONGEST = 8192
"""Characters, for plain code. Copies of the rest of a text, which are fast, show only in longer ones: give `largest`."""

_FLOOR = 0.002
"""Seconds. Below it nothing is said: at `LARGEST` no quadratic is as cheap."""
ENOUGH = 0.06
"""Seconds. At this cost growth has shown, and no longer text is tried."""
_PROMISING = 0.001
"""Seconds at `_SKIPS_FROM` characters, below which the lengths in between are skipped: a cubic costs far more there."""
_SKIPS_FROM = 512
_REPEATS, _LONGEST_OF_REPEATS = 2000, 32_768
"""Times that a unit is repeated at least, up to so many characters: a pattern may begin with a word, once in each unit."""
_TRIES = 4
_SIZES = (16, 24, 40, 64, 128, 256, 512)
"""Small steps at first, so that exponential cost shows while it is still affordable."""

_LINEAR = 2.2
"""Cost at a quarter of the longest text over cost at an eighth, below which a pattern is linear.

Of what costs an + bn², that is 3 times its half at the end, a quarter costs 2.4 times its half. The rest is room for noise.
"""
_AGREE = 1.05
"""The larger over the smaller of two costs of one text, below which no third is measured."""
_SHOWN = 0.000_1
"""Seconds, below which two costs are not compared: noise would decide."""

Reader = Callable[[str], object]


class Steep(NamedTuple):
    """A text whose cost grows faster than its length."""

    attack: Attack
    size: int
    seconds: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"{self.attack}: {self.seconds * 1000:,.1f} ms at {self.size:,} characters, {self.ratio:.1f} times half of them"
        )


def assert_linear(read: Reader, *, head: str = "", tail: str = "", largest: int = LONGEST) -> None:
    """Fails where `read` takes more than linear time for a generic hostile text between `head` and `tail`.

    Args:
        read: A function that reads text from outside. What it raises is not caught.
        head: What a text begins with, so that the function reads on: an open fence, the heading that it looks for.
        tail: What it ends with.
        largest: Characters of the longest text.
    """
    found = first_steep(read, framed(head, tail), largest=largest)
    assert found is None, str(found)


def first_steep(
    read: Reader,
    attacks: Iterable[Attack],
    *,
    largest: int = LARGEST,
    enough: float = ENOUGH,
    is_pattern: bool = False,
) -> Steep | None:
    """The first attack that `read` answers in more than linear time, None if there is none.

    Args:
        read: What is measured. What it raises is not caught.
        attacks: The texts to try, see `hostile_text`.
        largest: Characters of the longest text.
        enough: Seconds; a text that takes as long is the last one.
        is_pattern: The cost is a polynomial in the length, so that a quarter of `largest` tells what the whole would cost.
            Code may do another thing with a long text.
    """
    return next((found for attack in attacks if (found := _steep(read, attack, largest, enough, is_pattern))), None)


def _steep(read: Reader, attack: Attack, largest: int, enough: float, is_pattern: bool) -> Steep | None:
    largest = max(largest, min(_REPEATS * len(attack.unit), _LONGEST_OF_REPEATS))
    quarter = largest // 4 if is_pattern else largest
    steps, before, seconds = _SIZES, 1, 0.0
    while steps:
        for size in steps:
            cheaper, seconds = seconds, _cost(read, attack.text(size))
            of_half = cheaper if before * 2 == size else None
            is_suspect = seconds > _FLOOR and seconds > cheaper * (size / before) ** 1.5
            if is_suspect and (found := _if_steep(read, attack, size, enough)):
                return found
            before = size
            if seconds > enough:
                return None
        if size >= largest or (is_pattern and _is_cheap(seconds, size / largest)):
            return None
        if is_pattern and size >= quarter and _is_linear(read, attack, size, seconds, of_half):
            return None
        is_promising = seconds < _PROMISING * size / _SKIPS_FROM
        steps = (min(quarter if size < quarter else largest, size * (8 if is_promising else 2)),)
    return None


def _is_cheap(seconds: float, part: float) -> bool:
    """Whether `seconds` for a part of the longest text leave no room for a quadratic: the whole stays below the floor.

    What costs an + bn² costs 16 times its quarter at most. Noise only adds.
    """
    return seconds < _FLOOR * part**2


def _is_linear(read: Reader, attack: Attack, size: int, seconds: float, of_half: float | None) -> bool:
    """Whether `seconds` are less than noise can make of a steep growth. Noise only adds.

    So the half is the lowest of three, or of two that agree. `of_half` is one of them if it is known.
    """
    if seconds < _SHOWN:
        return False
    half = attack.text(size // 2)
    known = _cost(read, half) if of_half is None else of_half
    again = _cost(read, half)
    lowest = min(known, again)
    if max(known, again) > _AGREE * lowest:
        lowest = min(lowest, _cost(read, half))
    limit = _LINEAR * lowest
    return seconds < limit or _cost(read, attack.text(size)) < limit


def _if_steep(read: Reader, attack: Attack, size: int, enough: float) -> Steep | None:
    """What is measured at `size`, unless one of several tries finds it linear: other work on the machine only adds."""
    half, whole = attack.text(size // 2), attack.text(size)
    lowest: Steep | None = None
    for _ in range(_TRIES):
        cost_of_half = min(_cost(read, half) for _ in range(3))
        seconds = min(_cost(read, whole) for _ in range(2))
        if seconds <= _FLOOR:
            return None
        found = Steep(attack, size, seconds, seconds / cost_of_half)
        if found.ratio < STEEPEST:
            return None
        lowest = found if lowest is None or found.ratio < lowest.ratio else lowest
        if seconds > enough:
            break
    return lowest


def _cost(read: Reader, text: str) -> float:
    begin = process_time()
    read(text)
    return process_time() - begin
