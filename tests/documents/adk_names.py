"""Writes the table *ADK's names* of `ui/docs/adk.md`: what each stands for here. `uv run poe docs` runs it.

The names of google-adk are recorded in `adk_names.json`: `names_in_adk` prints them.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agents.adk import names
from tests.documents.blocks import DOCS

FILE = DOCS / "adk.md"
RECORD = Path(__file__).with_name("adk_names.json")
SAME, IDLE, OTHER, MISSING = "the same", "the same, without effect", "in another form", "not here"
"""What a name may be here, in the order of the table."""
NO_EFFECT = "Has no effect"
"""Said by the docstring of a class that is accepted and does nothing."""
_SECTION = re.compile(r"(?s)(?<=\n## ADK's names\n\n).*?(?=\n## )")
_INTRODUCTION = """\
What each module of google-adk {version} makes public, and other names that packages import. `uv run poe docs` writes this
table from what the names stand for in the runtime. An import of a name that is not here fails with the words of the table.

| module | names | here |
|---|---|---|
"""


class Place(NamedTuple):
    """What a name stands for here."""

    what: str
    more: str


def with_table(text: str) -> str:
    """The page with its table as it should be now."""
    introduction = _INTRODUCTION.format(version=names.VERSION)
    return _SECTION.sub(lambda _: introduction + "\n".join(rows()) + "\n", text)


def rows() -> Iterator[str]:
    """The table's rows: of each module the names that stand for the same kind of thing."""
    for module, listed in grouped().items():
        shown = f"`{module}`"
        for place in sorted(set(listed.values()), key=lambda one: ((SAME, IDLE, OTHER, MISSING).index(one.what), one.more)):
            alike = ", ".join(f"`{name}`" for name, its in listed.items() if its == place)
            yield f"| {shown} | {alike} | {': '.join(filter(None, place))} |"
            shown = ""


def grouped() -> dict[str, dict[str, Place]]:
    """ADK's module → name → what it is here. A name stands once: where ADK makes it public, or else defines it."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    found: dict[str, dict[str, Place]] = {module: {} for module in recorded}
    placed: set[str] = set()
    for kind in ("public", "others"):
        for module, listed in sorted(recorded.items(), key=lambda one: one[0] == "cli"):  # it uses names of the others
            fitting = [name for name in listed[kind] if name not in placed and (kind == "public" or is_told(name))]
            found[module] |= {name: place_of(module, name) for name in fitting}
            placed |= set(fitting)
    return {f"google.adk.{module}": dict(sorted(listed.items())) for module, listed in found.items() if listed}


def is_told(name: str) -> bool:
    """Whether the runtime has something to say about a name."""
    return (names.is_here("_", name) and not name.islower()) or name in names.missing()


def place_of(module: str, name: str) -> Place:
    """What one name is here."""
    try:
        value = names.value_of(module, name)
    except ImportError:
        why, use = names.missing().get(name, ("nothing of that name", ""))
        return Place(MISSING, f"{why}. {use}".removesuffix(" "))
    said = (inspect.getdoc(value) or "").partition("\n")[0] if inspect.isroutine(value) or inspect.isclass(value) else ""
    if NO_EFFECT in said:
        return Place(IDLE, "")
    if getattr(value, "__module__", "") == "agents.adk.replaced":
        return Place(OTHER, said)
    return Place(SAME, "")


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")
