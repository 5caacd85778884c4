"""Questions about the subjects of articles: the forms in which they are read, and the sentences that answer them."""

from __future__ import annotations

from collections.abc import Iterator

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.forms import Reading
from agents.models.simulated.reading.kinds import Kind, Message
from agents.models.simulated.reading.tokens import tokens_of
from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.quotes import Quote
from agents.pipelines.library.subjects import ARTICLES, title
from agents.pipelines.library.words import stems

_DATA = words_beside(__file__, "questions.toml")
FORMS: dict[str, str] = _DATA["forms"]
"""Forms in English, by their names."""


def _machine(message: Message, at: int) -> Iterator[tuple[int, Article]]:
    """The article about a thing, if it says how that works."""
    yield from ((end, article) for end, article in title(message, at) if article.id in _DATA["machines"]["ids"])


def _effect(message: Message, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """At most three words that mean something: what is to be explained."""
    for end in range(at + 1, len(message.tokens) + 1)[:3]:
        words = tuple(token.key for token in message.tokens[at:end])
        if not all(map(stems, words)):
            return
        yield end, words


KINDS: dict[str, Kind] = {"title": title, "machine": _machine, "effect": _effect}
"""The kinds of the slots in the forms."""


def answers_to(reading: Reading, articles: list[Article]) -> Iterator[Quote]:
    """The sentences that answer a question, from the articles about what it names."""
    wanted = [article.id for article in reading.all("title")]
    for article in articles:
        sentences = sentences_of(article.text) if article.id in wanted else []
        first = {"told": 3, "working": 3, "compared": 2, "both": 2}.get(reading.form, 0)
        for place, sentence in enumerate(sentences):
            if place < first or _answers(reading, article, sentence):
                yield Quote(article.id, sentence)


def _answers(reading: Reading, article: Article, sentence: str) -> bool:
    """Whether a sentence says of the subject of its article what is asked."""
    tokens = tokens_of(sentence)
    begins = [end for end, named in title(Message(sentence, tokens, "en"), 0) if named.id == article.id]
    words = [token.key for token in tokens[begins[-1] :]] if begins else [""]
    match reading.form:
        case "measured":
            return words[0] in ("is", "are") and "long" in words and any(map(str.isdigit, words))
        case "defined":
            return words[0] in ("is", "are") and words[1] in ARTICLES
        case "made" | "both":
            return words[0] in ("is", "are") and words[1:3] == ["made", "by"]
        case "reason" if "because" in words:
            effect = words[: words.index("because")]
            return not {"no", "not", "hardly"} & {*effect} and {*stems(" ".join(reading.get("effect")))} <= {
                *stems(" ".join(effect))
            }
        case _:
            return False
