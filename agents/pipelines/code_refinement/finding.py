"""A checker's findings on a source: a line, a rule, and what is wrong. One line of text each."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

NO_FINDINGS = "No findings."

_WRITTEN = re.compile(r"^(?:[-*]|[^\S\n])*+line (\d+), ([a-z ]++): (.*)$", re.MULTILINE)
_NAME = re.compile(r"'([^']++)'")


class Finding(NamedTuple):
    """One thing that is wrong.

    Attributes:
        line: Where, counted from 1.
        rule: The rule's name, e.g. "undefined name".
        detail: What is wrong; where it is about a name, that name in single quotes first.
    """

    line: int
    rule: str
    detail: str

    def __str__(self) -> str:
        """As `all_in` reads it."""
        return f"line {self.line}, {self.rule}: {' '.join(self.detail.split())}"

    @property
    def name(self) -> str:
        """The name that it is about, "" if it is about none."""
        found = _NAME.match(self.detail)
        return found[1] if found else ""

    @classmethod
    def all_in(cls, text: str) -> list[Self]:
        """The findings that a text lists."""
        return [cls(int(line[:6]), rule, detail) for line, rule, detail in _WRITTEN.findall(text)]


def as_text(findings: list[Finding]) -> str:
    """Findings as a list in Markdown, or that there are none."""
    return "\n".join(f"- {finding}" for finding in findings) or NO_FINDINGS
