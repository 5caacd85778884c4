"""Separates thoughts from the answer where a server sends both as one text: `<think>…</think>` at its beginning.

Pure. Servers that support a model's thoughts send them apart; this is for those that do not.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

_OPEN, _CLOSE = "<think>", "</think>"


class Words(NamedTuple):
    """A piece of an answer."""

    text: str
    thought: bool


class ThoughtsInText:
    """Reads an answer as it comes. Only what an answer begins with can be thoughts: further in, the tag is text."""

    def __init__(self) -> None:
        self._held = ""
        self._at: Literal["beginning", "thoughts", "answer"] = "beginning"
        self._begun = False

    def add(self, text: str) -> list[Words]:
        """Takes the next piece; returns what is decided of it. The beginning of a possible tag is held back."""
        self._held += text
        found: list[Words] = []
        if self._at == "beginning" and not self._opens():
            return found
        if self._at == "thoughts":
            thought, closed, rest = self._held.partition(_CLOSE)
            sure = len(thought) if closed else len(thought) - _overlap(thought)
            found += self._words(thought[:sure], thought=True)
            self._held = rest if closed else thought[sure:]
            if closed:
                self._at, self._begun = "answer", False
        if self._at == "answer":
            found += self._words(self._held, thought=False)
            self._held = ""
        return found

    def end(self) -> list[Words]:
        """What was held back."""
        held, self._held = self._held, ""
        self._begun = self._begun or self._at == "beginning"
        return self._words(held, thought=self._at == "thoughts")

    def _opens(self) -> bool:
        """Whether it is decided what the answer begins with."""
        begun = self._held.lstrip()
        if begun.startswith(_OPEN):
            self._at, self._held = "thoughts", begun[len(_OPEN) :]
        elif not _OPEN.startswith(begun):
            self._at, self._begun = "answer", True
        return self._at != "beginning"

    def _words(self, text: str, *, thought: bool) -> list[Words]:
        """The words, without the empty lines around the tags."""
        shown = text if self._begun else text.lstrip()
        self._begun = self._begun or bool(shown)
        return [Words(shown, thought)] if shown else []


def _overlap(text: str) -> int:
    """How many characters at the end may be the beginning of the closing tag."""
    return next((size for size in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:size])), 0)
