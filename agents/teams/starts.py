"""Teams to begin with: small ones that run as they are, one for each way in which agents work together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / "start_files"


@dataclass(frozen=True, slots=True)
class Start:
    """A team to begin with.

    Attributes:
        name: What the new team may be called.
        title: A few words.
        summary: One sentence: what it does.
        message: What it can be asked, to try it.
        files: Its files.
    """

    name: str
    title: str
    summary: str
    message: str
    files: Mapping[str, str]


def _start(name: str, title: str, summary: str, *, message: str) -> Start:
    files = {file.name: file.read_text(encoding="utf-8") for file in sorted((_FOLDER / name).glob("*.yaml"))}
    return Start(name, title, summary, message, files)


STARTS = (
    _start(
        "writer_and_critic",
        "A writer and a critic",
        "One agent writes, the other objects, and they go on until the critic is satisfied.",
        message="a lighthouse keeper",
    ),
    _start(
        "front_desk",
        "A router over two",
        "The first agent reads the question and hands it to the one of two that knows about it.",
        message="Where is my order 4711?",
    ),
    _start(
        "two_views",
        "Two at once, and one who joins",
        "Two agents work on the request at the same time, and a third makes one answer of both.",
        message="We want to open the shop on Sundays.",
    ),
    _start(
        "ask_before",
        "A graph that asks",
        "A draft waits for the user: “good” leads on, “again” leads back to the writer.",
        message="a lighthouse keeper",
    ),
    _start("my_team", "Blank", "One agent that answers.", message="What can you do?"),
)
"""In the order in which they are offered."""
