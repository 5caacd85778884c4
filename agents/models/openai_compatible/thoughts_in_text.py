"""Separates thoughts from the answer where a server sends both in one field: as parts, or as `<think>…</think>` text.

Pure. Servers that support a model's thoughts send them apart; this is for those that do not.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

_OPEN, _CLOSE = "<think>", "</think>"
_TEXTS = ("text", "content", "thinking", "reasoning", "refusal")
_THOUGHTS = ("thinking", "reasoning", "thought")


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


def text_in(given: Any) -> str:
    """The text that a field holds, "" for none: a string, or a list of parts."""
    if isinstance(given, list):
        return "".join(text_in(part) for part in cast("list[Any]", given))
    if isinstance(given, dict):
        held = cast("dict[str, Any]", given)
        return next((text for name in _TEXTS if (text := held.get(name)) and isinstance(text, str)), "")
    return given if isinstance(given, str) else ""


def words_in(content: Any) -> tuple[str, str]:
    """The thoughts and the text in a content: a string, or a list of parts."""
    if not isinstance(content, list):
        return "", text_in(content)
    thoughts: list[str] = []
    said: list[str] = []
    for part in cast("list[Any]", content):
        held = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
        if held.get("type") in _THOUGHTS:
            thoughts.append(text_in(held) or text_in(held.get("thinking")))
        else:
            said.append(text_in(part))
    return "".join(thoughts), "".join(said)
