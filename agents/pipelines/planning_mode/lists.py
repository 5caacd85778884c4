"""Lists in text files: the changes that a reading or a plan asks for, as steps, and their execution.

A list is a file with a title and one entry on each line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.models.simulated.reading.forms import Reading

MOST_STEPS = 20
MOST_LETTERS_OF_A_NAME = 40

_Kind = Literal["start", "add", "remove"]
_KINDS: dict[str, _Kind] = {"Start": "start", "Add": "add", "Remove": "remove"}
_PARTS: dict[str, tuple[_Kind, ...]] = {"start": ("add",), "add": ("add",), "remove": ("remove",), "move": ("remove", "add")}
_STEP = re.compile(
    r"^[^\S\n]*+(?:\d++[.)]|[-*])\s++(Start|Add|Remove)\s++(?:“(.+?)”\s++(?:to|from)\s++)?(\S+\.md)\b", re.MULTILINE
)
_ARTICLES = re.compile(r"\A(?:(?:some|an?|the|my|our|your|his|her|their|this|that)\s++)?(?:new\s++)?", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W_]++")


@dataclass(frozen=True, slots=True)
class Step:
    """One change in one file.

    Attributes:
        kind: "start" makes the file, "add" and "remove" change an entry.
        path: The file.
        entry: The entry, "" for "start".
    """

    kind: _Kind
    path: str
    entry: str = ""

    def __str__(self) -> str:
        """The step as a plan says it, which `read_plan` reads."""
        if self.kind == "start":
            return f"Start {self.path}."
        return f"Add “{self.entry}” to {self.path}." if self.kind == "add" else f"Remove “{self.entry}” from {self.path}."


def steps_of(reading: Reading, paths: Sequence[str]) -> list[Step] | None:
    """The steps that a reading of the form "change" comes to; None if it names a list that is not there."""
    there_are, path, steps = [*paths], "", list[Step]()
    for kind, change in reading.values:
        if kind == "start":
            path = f"{_NO_LETTERS.sub('-', _bare(change.get('list')).lower())[:MOST_LETTERS_OF_A_NAME].strip('-')}.md"
            there_are.append(path)
            steps.append(Step("start", path))
            lists = [path]
        else:
            lists = [path_of(named, there_are, it=path) for named in change.all("list")]
        if not all(lists):
            return None
        entries = [_bare(" of ".join(part for _, part in item.values)) for item in change.all("item")]
        steps += [Step(part, one, entry) for part, one in zip(_PARTS[kind], lists, strict=True) for entry in entries]
        path = lists[-1]
    return steps


def path_of(named: Reading | str, paths: Sequence[str], *, it: str = "") -> str:
    """The file of a list.

    Args:
        named: Its name as it was read, a path, or a reading of a rule that is called as the file, or "it".
        paths: The files that there are.
        it: The file that "it" stands for.

    Returns:
        Its path, "" if it is not there.
    """
    name = named.form if isinstance(named, Reading) else _bare(named).removesuffix(".md")
    if name == "it":
        return it
    return next((path for path in paths if _letters(path.removesuffix(".md")) == _letters(name)), "")


def read_plan(plan: str) -> list[Step]:
    """The steps of a plan, worded as `str(step)` does."""
    steps = [Step(_KINDS[kind], path, entry) for kind, entry, path in _STEP.findall(plan)]
    return [step for step in steps if (step.kind == "start") == (not step.entry)][:MOST_STEPS]


def changed(text: str | None, step: Step) -> tuple[str | None, str]:
    """What a file holds after a step, and why the step is not needed, "" if it is.

    Args:
        text: What the file holds; None if there is none.
        step: The change.
    """
    if step.kind == "start":
        if text is not None:
            return text, f"{step.path} is there already"
        title = step.path.removesuffix(".md").replace("-", " ").capitalize()
        return f"# {title}\n\n", ""
    lines = (text or "").splitlines()
    others = [line for line in lines if line.casefold().lstrip("-* ") != step.entry.casefold()]
    is_there = len(others) < len(lines)
    if step.kind == "add":
        if is_there:
            return text, f"“{step.entry}” is in {step.path} already"
        ends = "" if not text or text.endswith("\n") else "\n"
        return f"{text or ''}{ends}- {step.entry}\n", ""
    if not is_there:
        return text, f"“{step.entry}” is not in {step.path}"
    return "".join(f"{line}\n" for line in others), ""


def _bare(text: str) -> str:
    """A name or an entry without its article."""
    return _ARTICLES.sub("", text, count=1) or text


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
