"""The Help page, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.stage import SCRIPT, links, opened, query, said, sound, words
from ui.help.page import MOST, WORDS, _link
from ui.state import navigation
from ui.state.address import Address
from ui.text import documents

NO_TOPIC = {"__init__", "main", "help"}

pytestmark = pytest.mark.usefixtures("quiet_world", "manager")


def help_page(**address: str) -> AppTest:
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    return sound(opened(at.switch_page("help.py"), address))


def test_without_a_topic_all_pages_are_listed():
    at = help_page()
    assert [heading.value for heading in at.header] == list(dict.fromkeys(one.group for one in documents.pages().values()))
    drawn = {(link.proto.label, link.proto.query_string) for link in at.get("page_link")}
    for page in documents.pages().values():
        assert (page.title, f"topic={page.topic}") in drawn
        assert page.about in words(at)


@pytest.mark.parametrize("topic", documents.pages())
def test_a_topic_is_shown_with_all_of_its_headings_and_text(topic):
    at = help_page(topic=topic)
    first, *rest = documents.sections_of(topic)
    shown = [*at.header, *at.subheader]
    assert at.title[0].value == first.title
    assert sorted((one.value, one.anchor) for one in shown) == sorted((one.title, one.anchor) for one in rest)
    text = "\n".join(one.value for one in at.markdown)
    linked = [documents.with_links(one.text, _link) for one in (first, *rest)]
    assert [part for part in linked if part not in text] == []
    assert ".md)" not in text
    assert links(at)["All topics"] == ""


def test_a_topic_that_is_not_there_is_said_and_all_are_listed():
    at = help_page(topic="[nope](x)")
    assert "There is no page **[nope](x)**" in said(at)
    assert "Models" in links(at)


def test_the_search_shows_where_the_words_are():
    at = help_page()
    at.text_input(key=WORDS).set_value("visitor token").run()
    text = words(sound(at))
    assert "[Promises and security › What a visitor may do](help?topic=security#what-a-visitor-may-do)" in text
    found = documents.search("visitor token")
    assert f"{len(found)} places on {len({one.page for one in found})} pages" in text


def test_a_search_that_finds_much_says_so():
    assert f"the first {MOST} are listed: add a word" in words(help_page(words="a"))


def test_a_search_that_finds_nothing_says_so_and_leads_back():
    at = help_page(words="zebra <b>crossing</b> $x$")
    assert "No page has “zebra <b>crossing</b> $x$”" in said(at)
    at.button(key="all_topics").click().run()
    assert "Models" in links(sound(at))
    assert query(at) == {}


@pytest.mark.parametrize("file", sorted(path.name for path in SCRIPT.parent.glob("*.py") if path.stem not in NO_TOPIC))
def test_every_page_leads_to_its_topic(file):
    at = AppTest.from_file(SCRIPT, default_timeout=30).run()
    found = links(sound(opened(at.switch_page(file), {})))["Help"]
    assert found.removeprefix("topic=") in documents.pages()


def test_the_help_page_leads_to_the_list_and_parts_of_pages_have_topics_of_their_own():
    assert links(help_page(topic="lab"))["Help"] == ""
    assert navigation.topic_of("Sessions", Address(compare="a,b")) == "forks"
    assert navigation.topic_of("Sessions", Address(tab="cases")) == "cases"
