"""The articles: their files, titles and texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "articles"

_SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')\]]*\s+")


@dataclass(frozen=True, slots=True)
class Article:
    """One article.

    Attributes:
        id: What it is cited by, e.g. "suez-canal": the name of its file.
        title: Its heading.
        text: All that it says, on one line.
    """

    id: str
    title: str
    text: str


@cache
def collection() -> dict[str, Article]:
    """Every article by its id, in the order of the ids."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.md"))}


def _read(path: Path) -> Article:
    heading, _, text = path.read_text(encoding="utf-8").partition("\n")
    return Article(path.stem, heading.removeprefix("#").strip(), " ".join(text.split()))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each on one line; the lines of a list are sentences too."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [sentence for line in lines if line for sentence in _SENTENCE_END.split(line) if sentence]
