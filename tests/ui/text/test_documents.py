"""Pages by section, anchors, and the search."""

from __future__ import annotations

import pytest

from ui.text import documents


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What a visitor may do", "what-a-visitor-may-do"),
        ("Lab: GEPA, clusters, size", "lab-gepa-clusters-size"),
        ("95 % interval", "95--interval"),
        ("A model file needs the extra `local`", "a-model-file-needs-the-extra-local"),
        ("THINK", "think"),
        ("output_key", "output_key"),
    ],
)
def test_anchors_are_those_of_github(heading, anchor):
    assert documents.anchor_of(heading) == anchor


def test_a_comment_in_code_is_no_heading():
    titles = [one.title for one in documents.sections_of("write-an-agent")]
    assert titles[:3] == ["Write an agent", "1. One agent", "2. A tool"]


def test_a_page_that_is_not_there():
    with pytest.raises(KeyError):
        documents.text_of("README")


def test_the_changelog_is_found_in_a_checkout():
    assert documents.text_of("changelog").startswith("# Changelog\n")


def test_a_word_in_a_heading_goes_first_and_case_does_not_matter():
    found = documents.search("BACKUP")
    assert (found[0].page.topic, found[0].section.title) == ("operate", "Backup")
    assert found == documents.search("  backup ")


def test_every_word_must_be_there_and_the_excerpt_shows_one_of_them():
    found = documents.search("proxy websockets")
    assert found
    for one in found:
        text = f"{one.page.title} {one.page.about} {one.section.title} {one.section.text}".casefold()
        assert "proxy" in text
        assert "websockets" in text
    assert documents.search("proxy zebra") == []


def test_targets_of_links_are_not_searched():
    assert documents.search("open-telemetry/semantic") == []


@pytest.mark.parametrize("words", ["", "   ", "\n"])
def test_no_words_find_nothing(words):
    assert documents.search(words) == []


def test_an_excerpt_is_plain_text_of_some_length():
    for one in documents.search("playground"):
        assert len(one.line) < 3 * documents.EXCERPT
        assert not set(one.line) & set("*`|")
