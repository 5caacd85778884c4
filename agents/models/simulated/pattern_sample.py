"""A short text that fits a regular expression, made by reading the expression; it is never run."""

from __future__ import annotations

_MOST_SIGNS = 300
_MOST_REPEATS = 100
_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "S": "a", "W": "-", "t": "\t", "n": "\n", **dict.fromkeys("bBAZz", "")}
_PLAIN = {"^": "", "$": "", ".": "a"}


def sample_of(pattern: str) -> str | None:
    """The sample; None for an expression with more than characters, classes, groups, alternatives and repeats."""
    reader = _Reader(pattern[:_MOST_SIGNS])
    try:
        made = reader.alternatives()
    except (ValueError, IndexError, KeyError, RecursionError):
        return None
    return made if reader.at == len(pattern) else None


class _Reader:
    """Reads one expression; an error of any kind says that there is something in it that is not read here."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.at = 0

    def alternatives(self) -> str:
        """The sample of the first alternative, up to the end or a closing bracket."""
        made = self._sequence()
        while self._goes_on("|"):
            self._sequence()
        return made

    def _goes_on(self, text: str) -> bool:
        found = self._pattern.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def _take(self) -> str:
        self.at += 1
        return self._pattern[self.at - 1]

    def _sequence(self) -> str:
        made = ""
        while self._pattern[self.at : self.at + 1] not in ("", "|", ")"):
            made += self._one() * self._repeats()
            if len(made) > _MOST_SIGNS:
                raise ValueError
        return made

    def _one(self) -> str:
        sign = self._take()
        if sign == "(":
            if not self._goes_on("?:") and self._goes_on("?"):
                raise ValueError
            made = self.alternatives()
            self.at = self._pattern.index(")", self.at, self.at + 1) + 1
            return made
        if sign == "[":
            if self._goes_on("^"):
                raise ValueError
            first = self._character(self._take())
            while (sign := self._take()) != "]":
                self.at += sign == "\\"
            return first
        if sign in "*+?{":
            raise ValueError
        return _PLAIN[sign] if sign in _PLAIN else self._character(sign)

    def _character(self, sign: str) -> str:
        if sign != "\\":
            return sign
        escaped = self._take()
        return _CLASSES[escaped] if escaped.isalnum() else escaped

    def _repeats(self) -> int:
        count = 1
        if self._goes_on("{"):
            end = self._pattern.index("}", self.at)
            count = int(self._pattern[self.at : end].partition(",")[0])
            self.at = end + 1
        elif self._goes_on("*") or self._goes_on("?"):
            count = 0
        elif not self._goes_on("+"):
            return 1
        if not self._goes_on("?"):
            self._goes_on("+")
        if count > _MOST_REPEATS:
            raise ValueError
        return count
