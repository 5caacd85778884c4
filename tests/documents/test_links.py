"""Links of the documents lead somewhere: files, headings and pictures exist, and the list has every page."""

from __future__ import annotations

import re

import pytest

from tests.documents.blocks import DOCS, FILES, ROOT
from ui.text import documents

LINK = re.compile(r"\]\(([^)\s]+)\)")
PAGES = sorted(path.stem for path in DOCS.glob("*.md") if path.name != "README.md")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def headings(text: str) -> list[str]:
    return [documents.anchor_of(heading) for heading in re.findall(r"(?m)^#{1,6} (.+)$", without_code(text))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_link_and_anchor_leads_somewhere(path):
    broken: list[str] = []
    for link in LINK.findall(without_code(path.read_text(encoding="utf-8"))):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.is_file() or (anchor and anchor not in headings(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_headings_of_a_page_differ(path):
    found = headings(path.read_text(encoding="utf-8"))
    assert len(found) == len(set(found))


def test_the_list_has_every_page_once():
    lines = [line for line in documents.LIST.read_text(encoding="utf-8").splitlines() if line.startswith("- [")]
    assert sorted(documents.pages()) == sorted([*PAGES, "changelog"])
    assert len(lines) == len(documents.pages())


@pytest.mark.parametrize("topic", [*PAGES, "changelog"])
def test_a_page_begins_with_its_title_and_what_it_is_for(topic):
    first = documents.sections_of(topic)[0]
    assert (first.level, first.title) == (1, documents.pages()[topic].title)
    assert first.text.split("\n\n")[0].rstrip().endswith((".", "?"))
    assert documents.text_of(topic).startswith(f"# {first.title}\n")


@pytest.mark.parametrize("topic", [*PAGES, "changelog"])
def test_every_page_can_be_reached_from_the_readme(topic):
    seen, waiting = set[str](), [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        links = (link.partition("#")[0] for link in LINK.findall(without_code(path.read_text(encoding="utf-8"))))
        for found in ((path.parent / link).resolve() for link in links if link.endswith(".md")):
            if found.name not in seen:
                seen.add(found.name)
                waiting.append(found)
    assert any(name.lower() == f"{topic}.md" for name in seen)


@pytest.mark.parametrize("topic", [*PAGES, "changelog"])
def test_sections_lose_nothing(topic):
    text = documents.text_of(topic)
    shown = "".join(f"{'#' * one.level} {one.title}{one.text}" for one in documents.sections_of(topic))
    assert "".join(shown.split()) == "".join(text.split())


def test_links_between_pages_can_be_replaced():
    text = "[Keys](models.md#keys), [list](../../CHANGELOG.md), [out](https://example.org/a.md), `(models.md)`"
    said = documents.with_links(text, lambda topic, anchor: f"<{topic}|{anchor}>")
    assert said == "[Keys](<models|keys>), [list](<changelog|>), [out](https://example.org/a.md), `(models.md)`"
