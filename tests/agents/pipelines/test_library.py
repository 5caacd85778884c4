from __future__ import annotations

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pipelines.catalog import Catalog
from agents.pipelines.library.articles import Article, collection, sentences_of
from agents.pipelines.library.quotes import (
    Quote,
    citations_in,
    pick,
    signs_for,
    without_citations,
)
from agents.pipelines.library.search import search
from agents.pipelines.library.tools import read_article, search_library
from agents.pipelines.library.words import stems

ARTICLES = list(collection().values())
BY_ID = pytest.mark.parametrize("article", ARTICLES, ids=[article.id for article in ARTICLES])


def test_the_collection_is_small_and_has_no_title_twice():
    assert 15 <= len(ARTICLES) <= 25
    assert len({article.title for article in ARTICLES}) == len(ARTICLES)


@BY_ID
def test_an_article_is_short_and_can_be_cited(article):
    assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", article.id)
    assert 80 <= len(article.text.split()) <= 200
    assert article.title
    assert article.title[-1] not in string.punctuation
    assert "[" not in article.text, "that is how ids are written"


@BY_ID
def test_an_article_is_whole_sentences(article):
    sentences = sentences_of(article.text)

    assert len(sentences) >= 6
    assert " ".join(sentences) == article.text
    for sentence in sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence.split()) >= 4


@BY_ID
def test_an_article_is_found_by_its_title_and_by_each_of_its_sentences(article):
    assert search(article.title)[0].article is article
    for sentence in sentences_of(article.text):
        assert search(sentence)[0].article is article
        assert sentence in search(sentence)[0].snippet


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Why is the sky blue?", "sky"),
        ("flashing towers for SHIPS", "lighthouses"),
        ("Méchain", "metre"),
        ("mechain", "metre"),
        ("299,792,458", "metre"),
        ("waggle dances", "honeybees"),
        ("Printed Bibles", "printing"),
        ("a canal without locks", "suez-canal"),
    ],
)
def test_a_search_finds_what_is_meant(query, found):
    assert search(query)[0].article.id == found


@pytest.mark.parametrize("query", ["", "   ", "the of and", "purring cats", "xyzzy", "🦄", "?!"])
def test_a_search_finds_nothing_where_no_article_has_a_word(query):
    assert search(query) == []


def test_hits_are_ordered_limited_and_not_far_behind_the_best():
    hits = search("water", most=8)
    scores = [hit.score for hit in hits]

    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= 0.35 * max(scores)
    assert len(search("water", most=2)) == 2
    assert [hit.article.id for hit in hits][:2] == [hit.article.id for hit in search("water", most=2)]


def test_a_rare_word_once_counts_more_than_a_common_one_several_times():
    assert collection()["sky"].text.count("light") > 3
    assert collection()["glass"].text.count("Murano") == 1
    assert search("light Murano")[0].article.id == "glass"


def test_what_is_far_behind_the_best_is_not_shown():
    assert len(search("message", most=8)) >= 1
    assert len(search("Sun", most=8)) > 1
    assert [hit.article.id for hit in search("telegraph messages from the Sun", most=8)] == ["telegraph"]


def test_a_snippet_has_only_sentences_with_words_of_the_query():
    (hit,) = search("Murano")

    assert len(sentences_of(hit.snippet)) == 1
    assert "Murano" in hit.snippet
    assert len(sentences_of(search("waggle hexagons")[0].snippet)) == 2


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200))
def test_any_query_gives_hits_whose_snippets_are_from_their_articles(query):
    for hit in search(query):
        assert hit.score > 0
        assert set(stems(query)) & set(stems(f"{hit.article.title} {hit.article.text}"))
        assert all(sentence in hit.article.text for sentence in sentences_of(hit.snippet))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Moved tides", ["mov", "tid"]),
        ("movement moves moving", ["movement", "mov", "mov"]),
        ("colonies, colony", ["colony", "colony"]),
        ("glass gas bus", ["glass", "gas", "bus"]),
        ("The Öland of 1,200.5 km", ["oland", "1,200.5", "km"]),
        ("the of and", []),
    ],
)
def test_words_are_compared_by_their_stems(text, expected):
    assert stems(text) == expected


def test_the_search_tool_gives_ids_titles_and_snippets():
    found = search_library("How does a compass work?")["found"]

    assert found[0] == {"id": "compass", "title": "The compass", "snippet": search("compass work")[0].snippet}
    assert search_library("purring cats") == {"found": []}
    assert len(search_library("water", most=1)["found"]) == 1


def test_the_reading_tool_gives_an_article_or_says_which_might_be_meant():
    assert read_article("tides") == {"id": "tides", "title": "The tides", "text": collection()["tides"].text}
    assert read_article(" [Tides] ")["id"] == "tides"
    assert "Did you mean telescope" in read_article("teleskope")["error"]
    assert "search_library" in read_article("zzzzzz")["error"]


# -- reading


def test_signs_depend_on_how_something_is_asked():
    assert "years" in signs_for("When was glass invented?")
    assert "because" in signs_for("Why does bread rise?")
    assert "today" in signs_for("the use of paper today")
    assert signs_for("coffee") == []


def test_picked_sentences_stand_in_order_and_fit_what_is_asked():
    tides = collection()["tides"]
    picked = pick([tides], most=3, signs=["highest"])
    places = [sentences_of(tides.text).index(quote.sentence) for quote in picked]

    assert places == sorted(places)
    assert any("Bay of Fundy" in quote.sentence for quote in picked)


def test_each_article_is_picked_from_in_turn():
    picked = pick([collection()["glass"], collection()["telescope"]], most=3)

    assert [quote.id for quote in picked] == ["glass", "glass", "telescope"]


def test_signs_and_standing_alone_make_a_better_sentence():
    article = Article(
        "kites", "Kites", "A kite flies. This kite flies. A kite flew in 1749. A kite flies because it is light."
    )

    def picked(**more) -> str:
        (quote,) = pick([article], most=1, **more)
        return quote.sentence

    assert picked() == "A kite flies."
    assert picked(signs=["years"]) == "A kite flew in 1749."
    assert picked(signs=["because"]) == "A kite flies because it is light."
    assert [quote.sentence for quote in pick([article], most=3)] == [
        sentence for sentence in sentences_of(article.text) if not sentence.startswith("This")
    ]


def test_a_sentence_without_a_sign_can_be_left_out():
    article = Article("kites", "Kites", "A kite flies. A kite flies because of the wind. It needs a line.")

    assert pick([article], most=9, signs=["because"], needs_sign=True) == [
        Quote("kites", "A kite flies because of the wind.")
    ]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.integers(1, 5))
def test_any_question_picks_sentences_that_are_there(question, most):
    picked = pick(ARTICLES, most=most, signs=signs_for(question))

    assert len(picked) <= most
    assert all(quote.sentence in collection()[quote.id].text for quote in picked)


def test_a_quote_carries_its_source_and_gives_it_back():
    quote = Quote("suez-canal", "The canal has no locks.")

    assert str(quote) == "The canal has no locks [suez-canal]."
    assert without_citations(str(quote)) == quote.sentence
    assert citations_in(f"{quote} {quote} More [sky].") == ["suez-canal", "sky"]


def test_the_lines_of_a_list_are_sentences():
    assert sentences_of("One. Two!\n- three\n\nfour 1.5 m") == ["One.", "Two!", "- three", "four 1.5 m"]


def test_the_library_is_no_pipeline():
    assert "library" not in Catalog().names()
