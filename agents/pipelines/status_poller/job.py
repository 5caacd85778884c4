"""A background job as seen from outside: how far it is at each look.

How long a job takes and whether it fails is drawn from its name and a seed; a size in its name, in English, Japanese or
Chinese, makes it longer or shorter.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any, Literal

from agents.models.simulated.language.numbers import numbers_in
from agents.models.simulated.language.words import any_of, words_beside

Status = Literal["queued", "running", "completed", "failed"]

FEWEST_LOOKS, MOST_LOOKS = 1, 20
FAILS_IN_TEN = 2
REASONS = ("out of memory", "disk full", "lost its connection", "unreadable input", "permission denied")

_WORDS: dict[str, dict[str, Any]] = words_beside(__file__)
_BY_WORD = {word: int(change) for change, listed in _WORDS["english"].items() for word in listed.split()}
_BY_CJK_WORD = {word: int(change) for change, listed in _WORDS["cjk"].items() for word in listed}
_WORD = re.compile(r"[^\W\d]+(?:-[^\W\d]+)*")
_CJK_WORD = re.compile(any_of(_BY_CJK_WORD))


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a job shows.

    Attributes:
        status: "queued", "running", "completed" or "failed".
        progress: Percent done.
        reason: Why it failed, "" if it did not.
    """

    status: Status
    progress: int
    reason: str = ""


def look_at(job: str, *, look: int, seed: str) -> Look:
    """What the job shows when it is looked at for the `look`-th time, counted from 1."""
    draw = random.Random(f"{seed}/{job.strip().casefold()}")  # noqa: S311  a progress bar is no secret
    needed = looks_needed(job, draw)
    fails = draw.randrange(10) < FAILS_IN_TEN
    last = draw.randint(1, needed) if fails else needed
    reason = draw.choice(REASONS)
    waits = needed > FEWEST_LOOKS + 1 and draw.random() < 0.6  # noqa: PLR2004  more often than not
    steps = [draw.uniform(0.4, 1.6) for _ in range(needed)]
    if waits:
        steps[0] = 0.0
    progress = round(100 * sum(steps[:look]) / sum(steps))
    if look >= last:
        return Look("failed", min(progress, 99), reason) if fails else Look("completed", 100)
    return Look("queued", 0) if waits and look == 1 else Look("running", max(1, min(progress, 99)))


def looks_needed(job: str, draw: random.Random) -> int:
    """After how many looks the job is done: drawn, and changed by the sizes and amounts in its name."""
    by_words = sum(_BY_WORD.get(word, 0) for word in _WORD.findall(job.lower()))
    by_words += sum(_BY_CJK_WORD[word] for word in _CJK_WORD.findall(job))
    numbers = (abs(number.value) for number in numbers_in(job))
    digits = max((len(str(int(number))) for number in numbers), default=1)
    return max(FEWEST_LOOKS, min(draw.randint(2, 5) + by_words + digits - 1, MOST_LOOKS))
