"""How much work a request is: what its words ask for, how many questions it asks, and how many steps its sums take."""

from __future__ import annotations

import re

from agents.models.simulated.language.words import words_beside
from agents.pipelines.complexity_router.sums import steps_in

MOST_READ = 5_000
MOST_WORDS, MOST_CJK = 40, 100
"""Words, or Han characters and kana, of a request that may still be a short one."""

_CUES: dict[str, list[str]] = words_beside(__file__, "cues.toml")
_KINDS = {cue: kind for kind, cues in _CUES.items() if kind != "short" for cue in cues}
CUE_WORDS = frozenset(word for cue in _KINDS if cue.isascii() for word in cue.replace("-", " ").split())
"""The English words of the cues."""


def _any_of(cues: list[str]) -> str:
    longest_first = sorted(cues, key=len, reverse=True)
    latin = "|".join(re.escape(cue) for cue in longest_first if cue.isascii())
    return rf"(?<!\w)(?:{latin})(?!\w)|{'|'.join(cue for cue in longest_first if not cue.isascii())}"


_CUE = re.compile(_any_of([*_KINDS]))
_SHORT = re.compile(_any_of(_CUES["short"]))
_QUESTION_MARKS = re.compile(r"[?？]+")
_NUMBERED = re.compile(r"^[ \t]*+\d{1,2}[.)] ", re.MULTILINE)
_CJK = re.compile("[\u3041-\u30ff\u3400-\u9fff]")


def is_complex(request: str, *, most_steps: int) -> bool:
    """Whether a request takes thorough work.

    Args:
        request: The user's message.
        most_steps: Steps of arithmetic that are still simple.
    """
    text = request[:MOST_READ]
    return (
        steps_in(text) > most_steps
        or bool(kinds_in(text))
        or max(len(_QUESTION_MARKS.findall(text)), len(_NUMBERED.findall(text))) > 1
        or len(text.split()) > MOST_WORDS
        or len(_CJK.findall(text)) > MOST_CJK
    )


def kinds_in(request: str) -> list[str]:
    """What the words of a request ask for: why, compare, plan, depth, parts; each once."""
    text = _SHORT.sub(" ", " ".join(request[:MOST_READ].lower().split()))
    return list(dict.fromkeys(_KINDS[found[0]] for found in _CUE.finditer(text)))
