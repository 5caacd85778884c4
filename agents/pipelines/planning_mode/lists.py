"""Lists in text files: the changes that a message asks for, as steps, and their execution.

A list is a file with a title and one entry on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

MOST_STEPS = 20
MOST_LETTERS = 60
MOST_LETTERS_OF_A_CLAUSE = 500

_CLAUSE = re.compile(
    r"(?:[.!?;](?=\s|$)|\n|(?:,\s*+)?\b(?:and\s++)?then\b|(?:,|(?<!\s))\s++and\s++(?=(?:add|put|remove|delete|start|move)\b))",
    re.IGNORECASE,
)
_ADD = re.compile(r"\b(?:add|put|write|note|append)\s++", re.IGNORECASE)
_ADDED_TO = re.compile(r"(?<!\s)\s++(?:to|on|onto|into|in)(?=\s++\S)", re.IGNORECASE)
_MOVE = re.compile(r"\bmove\s++", re.IGNORECASE)
_MOVED_FROM = re.compile(r"(?<!\s)\s++from(?=\s++\S)", re.IGNORECASE)
_MOVED_TO = re.compile(r"(?<!\s)\s++(?:to|onto|into)(?=\s++\S)", re.IGNORECASE)
_REMOVE = re.compile(r"\b(?:remove|delete|take|cross|strike|drop)\s++", re.IGNORECASE)
_REMOVED_FROM = re.compile(r"(?<!\s)\s++(?:from|off|out of)(?=\s++\S)", re.IGNORECASE)
_START = re.compile(
    r"\b(?:start|make|create|begin)\s++(?:me\s++)?(?:an?\s++|the\s++|my\s++)?(?:new\s++)?"
    r"(?:list\s++(?:of|for|called|named)\s++(?P<named>[^:\s][^:]{0,99}?)|(?P<kind>[^:\s][^:]{0,99}?)(?<!\s)\s++list)"
    r"(?:(?<!\s)\s++)?+(?:(?::|\bwith\b)\s*+(?P<items>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_STEP = re.compile(
    r"^[^\S\n]*+(?:\d++[.)]|[-*])\s++(Start|Add|Remove)\s++(?:“(.+?)”\s++(?:to|from)\s++)?(\S+\.md)\b", re.MULTILINE
)
_NOT_A_NAME = re.compile(r"\b(?:the|my|our|a|an|list|file)\b|\.md\b", re.IGNORECASE)
_THE_SAME = re.compile(r"\b(?:it|there)\W*+$", re.IGNORECASE)
_A_LIST = re.compile(r"\blist\b|\.md\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\A(?:and|some|an?|the|my|also)\s++", re.IGNORECASE)
_BETWEEN_ENTRIES = re.compile(r",|(?<!\s)\s++and\s++|&")
_NO_LETTERS = re.compile(r"[\W_]++")
_QUOTES = str.maketrans(dict.fromkeys('“”"‘’`', " "))


@dataclass(frozen=True, slots=True)
class Step:
    """One change in one file.

    Attributes:
        kind: "start" makes the file, "add" and "remove" change an entry.
        path: The file.
        entry: The entry, "" for "start".
    """

    kind: Literal["start", "add", "remove"]
    path: str
    entry: str = ""

    def __str__(self) -> str:
        """The step as a plan says it, which `read_plan` reads."""
        if self.kind == "start":
            return f"Start {self.path}."
        return f"Add “{self.entry}” to {self.path}." if self.kind == "add" else f"Remove “{self.entry}” from {self.path}."


def read_request(message: str, paths: Sequence[str]) -> list[Step]:
    """The steps that a message asks for, at most 20; a list that is added to and is not there is started first."""
    steps: dict[Step, None] = {}  # in their order, each once
    there_are, path = list(paths), ""
    for clause in _CLAUSE.split(message):
        said = clause[:MOST_LETTERS_OF_A_CLAUSE]
        if steps:
            said = _THE_SAME.sub(path, said)
        for step in _steps_of(said, there_are):
            path = step.path
            if path not in there_are:
                there_are.append(path)
                if step.kind == "add":
                    steps[Step("start", path)] = None
            steps[step] = None
        if len(steps) >= MOST_STEPS:
            break
    return list(steps)[:MOST_STEPS]


def read_plan(plan: str) -> list[Step]:
    """The steps of a plan, worded as `str(step)` does."""
    kinds: dict[str, Literal["start", "add", "remove"]] = {"Start": "start", "Add": "add", "Remove": "remove"}
    steps = [Step(kinds[kind], path, entry) for kind, entry, path in _STEP.findall(plan)]
    return [step for step in steps if (step.kind == "start") == (not step.entry)][:MOST_STEPS]


def lists_named_in(message: str, paths: Iterable[str]) -> list[str]:
    """The files whose names stand in a message, written together or not."""
    letters = _letters(message)
    return [path for path in paths if _letters(path.removesuffix(".md")) in letters]


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


def _steps_of(clause: str, paths: Sequence[str]) -> list[Step]:
    if move := _moved(clause):
        of, to = _path_of(move[1], paths), _path_of(move[2], paths)
        entries = _entries_in(move[0])
        steps = [Step("remove", of, entry) for entry in entries] + [Step("add", to, entry) for entry in entries]
        return steps if of in paths and to else []
    if addition := _changed(clause, _ADD, _ADDED_TO):
        path = _path_of(addition[1], paths)
        is_list = path in paths or (path and _A_LIST.search(addition[1]))
        return [Step("add", path, entry) for entry in _entries_in(addition[0]) if is_list]
    if removal := _changed(clause, _REMOVE, _REMOVED_FROM):
        path = _path_of(removal[1], paths)
        return [Step("remove", path, entry) for entry in _entries_in(removal[0]) if path in paths]
    if found := _START.search(clause.strip()):
        path = _path_of(found["named"] or found["kind"], paths)
        entries = _entries_in(found["items"] or "")
        return [Step("start", path), *(Step("add", path, entry) for entry in entries)] if path else []
    return []


def _changed(clause: str, verb: re.Pattern[str], preposition: re.Pattern[str]) -> tuple[str, str] | None:
    """Entries and list in "add <entries> to <list>", divided at the last preposition."""
    if (begin := verb.search(clause)) is None:
        return None
    found = [*preposition.finditer(clause, begin.end())]
    return (clause[begin.end() : found[-1].start()], clause[found[-1].end() :]) if found else None


def _moved(clause: str) -> tuple[str, str, str] | None:
    """Entries and both lists in "move <entries> from <list> to <list>"."""
    if (begin := _MOVE.search(clause)) is None:
        return None
    to = [*_MOVED_TO.finditer(clause, begin.end())]
    of = [found for found in _MOVED_FROM.finditer(clause, begin.end()) if to and found.end() < to[-1].start()]
    if not of:
        return None
    first_to = next(found for found in to if found.start() > of[-1].end())
    return clause[begin.end() : of[-1].start()], clause[of[-1].end() : first_to.start()], clause[first_to.end() :]


def _entries_in(text: str) -> list[str]:
    return [entry for piece in _BETWEEN_ENTRIES.split(text) if (entry := _entry(piece))]


def _entry(text: str) -> str:
    """An entry on one line, without quotation marks and articles."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    entry = " ".join(shown.translate(_QUOTES).split()).lstrip("-*#• '").rstrip(" .:;'")
    return _ARTICLE.sub("", entry)[:MOST_LETTERS].strip()


def _path_of(name: str, paths: Sequence[str]) -> str:
    """The file that is meant, or the one that would be made; "" if the name holds no letter."""
    bare = " ".join(_NOT_A_NAME.sub(" ", name).split())
    wanted = _letters(bare)
    for path in paths:
        if _letters(path.removesuffix(".md")) == wanted:
            return path
    kept = _NO_LETTERS.sub("-", bare.lower())[:40].strip("-")
    return f"{kept}.md" if kept else ""


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
