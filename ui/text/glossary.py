"""What the words of the field mean, as `ui/docs/glossary.md` says it. The session view reads the same file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FILE = Path(__file__).parents[1] / "docs" / "glossary.md"


def help_on(*terms: str) -> str:
    """The meanings of terms, as Markdown for a control's help.

    Raises:
        KeyError: A term is not in the glossary.
    """
    return "\n\n".join(f"**{term}**: {meanings()[term]}" for term in terms)


@cache
def meanings() -> dict[str, str]:
    """Each term with its meaning."""
    parts = _FILE.read_text("utf-8").split("\n### ")[1:]
    found = (part.partition("\n")[::2] for part in parts)
    return {term: " ".join(text.partition("\n## ")[0].split()) for term, text in found}
