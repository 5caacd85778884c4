"""Computes answers from the texts of files: totals, open points, mentions, first sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agents.models.simulated.request import first_sentence

MOST_LINES = 12

_COUNT = re.compile(r"(?<![\w.,])(\d++(?:[.,]\d++)?)(?=\s*+(\w++)(?:\s++(\w++))?)")
_OPEN_POINT = re.compile(r"\A\s*+(?:[-*]\s*+\[ ?\]\s*+(\S.*)|(?:TODO|To do)[ \t]*+:[ \t]*+(\S.*))")
_COUNTED: dict[str, Callable[[str], int]] = {
    "words": lambda text: len(text.split()),
    "lines": lambda text: len(text.splitlines()),
    "characters": len,
    "letters": lambda text: sum(letter.isalpha() for letter in text),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to an errand.

    Attributes:
        answer: One sentence.
        lines: What it rests on, a line each.
        found: Whether there was anything.
    """

    answer: str
    lines: tuple[str, ...] = ()
    found: bool = True

    @property
    def text(self) -> str:
        """All of it, as it is put into a file."""
        return "\n".join((self.answer, *self.lines)) + "\n"


def total(texts: Mapping[str, str], unit: str, name: str = "") -> Finding:
    """The sum of the numbers that stand before a unit, only in lines with `name` if there is one."""
    sums = {path: _sum_of(_lines_with(text, name), unit) for path, text in texts.items()}
    of_whom = f" of {name}" if name else ""
    if not any(count for _, count in sums.values()):
        return Finding(f"None of the {_files(len(texts))} says a number of {unit}{of_whom}.", found=False)
    counted = {path: amount for path, (amount, count) in sums.items() if count}
    answer = f"{_plain(sum(counted.values()))} {unit}{of_whom} in all, from {_files(len(counted))}."
    return Finding(answer, tuple(f"- {path}: {_plain(amount)}" for path, amount in counted.items()))


def open_points(texts: Mapping[str, str]) -> Finding:
    """Lines that are marked as not done yet: `- [ ] …` or `TODO: …`."""
    found = [
        (match[1] or match[2]).strip()
        for text in texts.values()
        for line in text.splitlines()
        if (match := _OPEN_POINT.match(line))
    ]
    if not found:
        return Finding(f"No open point is marked in {_files(len(texts))}.", found=False)
    said = f"{len(found)} open point{'s' if len(found) > 1 else ''}:"
    return Finding(said, tuple(f"- [ ] {point}" for point in found))


def mentions(texts: Mapping[str, str], words: Sequence[str]) -> Finding:
    """The lines that have most of `words` in them, by file."""
    looked_for = " or ".join(f"“{word}”" for word in words[:4])
    stems = [_stem(word) for word in words]
    scored = [
        (sum(stem in lower for stem in stems), path, line)
        for path, text in texts.items()
        for line, lower in zip(text.splitlines(), text.lower().splitlines(), strict=False)
    ]
    best = max((score for score, *_ in scored), default=0)
    if not best:
        return Finding(f"I found nothing about {looked_for} in {_files(len(texts))}.", found=False)
    lines = [f"- {path}: {line.strip()}" for score, path, line in scored if score == best]
    where = len({path for score, path, _ in scored if score == best})
    left_out = [f"- and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return Finding(f"{_files(where)} mention{'s' if where == 1 else ''} {looked_for}:", (*lines[:MOST_LINES], *left_out))


def summary(texts: Mapping[str, str]) -> Finding:
    """The first sentence of each file."""
    lines = tuple(f"- {path}: {first_sentence(text) or '(empty)'}" for path, text in texts.items())
    return Finding(f"{_files(len(texts))}, by the first sentence of each:", lines)


def count_of(unit: str, texts: Mapping[str, str]) -> Finding | None:
    """How many files there are, or words, lines, characters or letters in them; None for any other unit."""
    if unit in ("file", "files"):
        return Finding(f"{_files(len(texts))}.", tuple(f"- {path}" for path in texts))
    if (measure := _COUNTED.get(unit if unit.endswith("s") else f"{unit}s")) is None:
        return None
    sizes = {path: measure(text) for path, text in texts.items()}
    answer = f"{sum(sizes.values())} {unit} in all, in {_files(len(sizes))}."
    return Finding(answer, tuple(f"- {path}: {size}" for path, size in sizes.items()))


def _sum_of(text: str, unit: str) -> tuple[float, int]:
    """Sum and count of the numbers in front of a unit, with one word between them at most: "14 tomato plants"."""
    stem = _stem(unit)
    forms = {stem, f"{stem}s", f"{stem}es"}
    amounts = [
        float(number.replace(",", ".")[:15])
        for number, first, second in _COUNT.findall(text)
        if first.lower() in forms or (second.lower() in forms and not any(letter.isdigit() for letter in first))
    ]
    return sum(amounts), len(amounts)


def _lines_with(text: str, name: str) -> str:
    return "\n".join(line for line in text.splitlines() if name in line)


def _stem(word: str) -> str:
    lower = word.lower()
    return lower[:-1] if len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss") else lower  # noqa: PLR2004


def _plain(amount: float) -> str:
    return f"{amount:.2f}".rstrip("0").rstrip(".")


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
