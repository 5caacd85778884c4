"""The subjects of the articles as messages name them: one kind of slot for all pipelines that use the collection."""

from __future__ import annotations

from collections.abc import Iterator

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.forms import Forms, Reading
from agents.models.simulated.reading.kinds import Message
from agents.models.simulated.reading.tokens import tokens_of
from agents.pipelines.library.articles import Article, collection

ARTICLES = ("a", "an", "the")

_NAMES: dict[str, list[str]] = words_beside(__file__, "subjects.toml")["names"]


def names_of(article: Article) -> tuple[str, ...]:
    """The title of an article, and what else its subject is called."""
    return (article.title, *_NAMES.get(article.id, ()))


_TITLES = {
    tuple(token.key for token in tokens_of(name.removeprefix("The "))): article
    for article in collection().values()
    for name in names_of(article)
}


def title(message: Message, at: int) -> Iterator[tuple[int, Article]]:
    """The article about what begins here: "a telescope", "the Suez Canal"."""
    tokens = message.tokens
    begin = at + (at < len(tokens) and tokens[at].key in ARTICLES)
    for end in range(begin + 1, len(tokens) + 1)[: max(map(len, _TITLES))]:
        if article := _TITLES.get(tuple(token.key for token in tokens[begin:end])):
            yield end, article


def read_about(forms: Forms, message: str) -> Reading | None:
    """What a message says by forms with `{title}`; None also if it names a subject twice."""
    reading = forms.read(message)
    named = reading.all("title") if reading else []
    return reading if len(set(named)) == len(named) else None


def within_a_sentence(article: Article) -> str:
    """The title of an article as it is written in mid-sentence: "The tides" → the tides, "Iceland" → Iceland."""
    lowered = article.title[0].lower() + article.title[1:]
    is_name = not article.title.startswith("The ") and article.title in article.text and lowered not in article.text
    return article.title if is_name else lowered
