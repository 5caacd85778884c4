"""The documents in `ui/docs`: their list, their pages by section, and where words are found in them.

`ui/docs/README.md` is the list: headings of groups, and a line for each page. A page's topic is the name of its file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "docs"
LIST = FOLDER / "README.md"
MOST_WORDS = 8
"""Words of a search that are looked for; those after them are left out."""
EXCERPT = 160
"""Characters of a paragraph that is shown as found, about."""

_CHANGELOG = "changelog"
_LINE = re.compile(r"- \[([^\]]+)\]\(([^)\s]+)\): (.+)")
_HEADING = re.compile(r"(#{1,3}) (.+)")
_FENCE = "```"
_LINK = re.compile(r"\]\(((?:\.\./)*)([\w-]+)\.md(?:#([\w-]+))?\)")
_NO_SLUG = re.compile(r"[^\w\- ]")
_MARKS = re.compile(r"[*`|]|\]\([^()\[\]\s]*\)|\[")
_WRAPPED = re.compile(r"\n(?=[^\n|\-\d#>])")
"""A line break within a paragraph."""


class Page(NamedTuple):
    """A page of the documents.

    Attributes:
        topic: What it is asked for by, e.g. "models".
        title: Its title, e.g. "Models".
        about: One sentence on what it is for.
        group: The heading of the list that it stands below.
    """

    topic: str
    title: str
    about: str
    group: str


class Section(NamedTuple):
    """A part of a page: a heading, and the text up to the next one.

    Attributes:
        level: 1 for the page's title, up to 3.
        title: The heading.
        anchor: What a link to it ends with, as GitHub makes it from the heading.
        text: Markdown.
    """

    level: int
    title: str
    anchor: str
    text: str


class Found(NamedTuple):
    """A section in which all words of a search are.

    Attributes:
        page: Its page.
        section: The section.
        line: The paragraph with the most of the words, without Markdown's signs, cut around them; "" if only headings have
            them.
    """

    page: Page
    section: Section
    line: str


@cache
def pages() -> Mapping[str, Page]:
    """All pages by topic, in the order of the list."""
    found: dict[str, Page] = {}
    group = ""
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("## "):
            group = line.removeprefix("## ")
        elif matched := _LINE.fullmatch(line):
            title, path, about = matched.groups()
            topic = Path(path).stem.lower()
            found[topic] = Page(topic, title, about, group)
    return found


def text_of(topic: str) -> str:
    """A page as Markdown, as its file has it.

    Raises:
        KeyError: There is no such page.
    """
    page = pages()[topic]
    file = FOLDER / f"{page.topic}.md"
    if topic == _CHANGELOG and not file.exists():  # a checkout has it beside the README, a wheel beside the pages
        file = FOLDER.parents[1] / "CHANGELOG.md"
    return file.read_text("utf-8")


@cache
def sections_of(topic: str) -> tuple[Section, ...]:
    """A page by its headings of the first three ranks; the first section is the title's.

    Raises:
        KeyError: There is no such page.
    """
    return tuple(_sections(text_of(topic)))


def _sections(text: str) -> Iterator[Section]:
    level, title, lines, is_code = 1, "", list[str](), False
    for line in text.splitlines():
        is_code ^= line.startswith(_FENCE)
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield Section(level, title, anchor_of(title), "\n".join(lines).strip())
        level, title, lines = len(heading[1]), heading[2], []
    yield Section(level, title, anchor_of(title), "\n".join(lines).strip())


def anchor_of(heading: str) -> str:
    """What a link to a heading ends with, as GitHub makes it."""
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def with_links(text: str, link: Callable[[str, str], str]) -> str:
    """Markdown with its links to other pages replaced.

    Args:
        text: Markdown of a page, or of the list.
        link: Makes a link from a topic and an anchor, "" for none.
    """
    return _LINK.sub(lambda found: f"]({link(found[2].lower(), found[3] or '')})", text)


def search(words: str) -> list[Found]:
    """The sections that have all of some words, in any case: those with a word in a heading first.

    Args:
        words: Plain text; words are separated by blanks, and each may be a part of another word.
    """
    wanted = words.casefold().split()[:MOST_WORDS]
    if not wanted:
        return []
    found: list[tuple[int, Found]] = []
    for page in pages().values():
        for section in sections_of(page.topic):
            headings = f"{page.title} {page.about if section.level == 1 else ''} {section.title}".casefold()
            lines = _plain_lines(section.text)
            if all(word in headings or any(word in line.casefold() for line in lines) for word in wanted):
                rank = -sum((word in headings) + 2 * (word in section.title.casefold()) for word in wanted)
                found.append((rank, Found(page, section, _excerpt(lines, wanted))))
    return [one for _, one in sorted(found, key=lambda each: each[0])]


@cache
def _plain_lines(text: str) -> tuple[str, ...]:
    """The paragraphs, items and rows of Markdown, without its signs and the targets of its links."""
    joined = _WRAPPED.sub(" ", "\n".join(line for line in text.splitlines() if not line.startswith(_FENCE)))
    return tuple(" ".join(_MARKS.sub(" ", line).split()) for line in joined.splitlines())


def _excerpt(lines: Sequence[str], wanted: Sequence[str]) -> str:
    """The line with the most of the words, cut around the first of them."""
    line = max(lines, key=lambda one: sum(word in one.casefold() for word in wanted), default="")
    places = [place for word in wanted if (place := line.casefold().find(word)) >= 0]
    if not places:
        return ""
    begin = line.rfind(" ", 0, max(0, min(places) - EXCERPT // 3)) + 1
    end = line.find(" ", begin + EXCERPT)
    return f"{'… ' if begin else ''}{line[begin : end if end > 0 else None]}{' …' if end > 0 else ''}"
